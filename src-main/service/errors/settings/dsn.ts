import type { SecretBox } from '../../secrets/secret-box.ts';

const secretDigits = 32;

/**
 * Builds the address for SDKs from the base URL, never from a request's Host header; the scheme's
 * default port is omitted.
 */
export function dsnOf(baseUrl: string, publicKey: string, projectId: number): string {
  return withUser(baseUrl, publicKey, projectId);
}

/**
 * Builds the deprecated form with a secret part, for clients that refuse a DSN without one. The
 * secret is never checked; it is derived from the key, so that it is stable without being stored.
 */
export function deprecatedDsnOf(baseUrl: string, publicKey: string, projectId: number, secrets: SecretBox): string {
  return withUser(
    baseUrl,
    `${publicKey}:${secrets.mac('dsn-secret', publicKey).toString('hex').slice(0, secretDigits)}`,
    projectId,
  );
}

function withUser(baseUrl: string, user: string, projectId: number): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${user}@${host}${pathname.replace(/\/$/, '')}/api/v4/error_tracking/collector/${projectId}`;
}
