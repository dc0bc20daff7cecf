import type { SecretBox } from '../../secrets/secret-box.ts';

const secretDigits = 32;

/**
 * The address that an SDK is given. It is made of the base URL, never of a request's Host header; the port of the
 * scheme itself is left out.
 */
export function dsnOf(baseUrl: string, publicKey: string, projectId: number): string {
  return withUser(baseUrl, publicKey, projectId);
}

/**
 * The deprecated form with a secret part, for clients that refuse a DSN without one. Nothing asks for the secret: it is derived from the key,
 * so that it stays the same without being kept.
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
