import type { SecretBox } from '../../secrets/secret-box.ts';

/** Visible ASCII: anything else cannot stand in a header. */
export const tokenForm = /^[\x21-\x7e]{1,500}$/;

/** Whether a token is the row of asterisks that GitLab's screen sends for "keep the one you have". */
export function isMasked(token: string): boolean {
  return /^\**$/.test(token);
}

/** Seals the token of an external server for one project and one origin: put beside another address, it cannot be opened. */
export function sealToken(secrets: SecretBox, projectId: number, origin: string, token: string): Buffer {
  return secrets.seal(purpose(projectId, origin), Buffer.from(token));
}

/** @returns null when it was sealed for another origin, or with the key of another installation. */
export function openToken(secrets: SecretBox, projectId: number, origin: string, sealed: Buffer): string | null {
  try {
    return secrets.open(purpose(projectId, origin), sealed).toString();
  } catch {
    return null;
  }
}

function purpose(projectId: number, origin: string): string {
  return `sentry-token:${projectId}:${origin}`;
}
