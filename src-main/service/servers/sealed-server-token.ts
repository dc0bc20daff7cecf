import type { SecretBox } from '../secrets/secret-box.ts';

/** Seals the token of a server for this server and its origin: put beside another address, it cannot be opened. */
export function sealServerToken(secrets: SecretBox, id: number, baseUrl: string, token: string): Buffer {
  return secrets.seal(purpose(id, baseUrl), Buffer.from(token));
}

/** @returns null when it was sealed for another origin, or with the key of another installation. */
export function openServerToken(secrets: SecretBox, id: number, baseUrl: string, sealed: Buffer): string | null {
  try {
    return secrets.open(purpose(id, baseUrl), sealed).toString();
  } catch {
    return null;
  }
}

function purpose(id: number, baseUrl: string): string {
  return `remote-server:${id}:${new URL(baseUrl).origin}`;
}
