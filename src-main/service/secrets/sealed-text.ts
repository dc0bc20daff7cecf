import type { SecretBox } from './secret-box.ts';

/**
 * Seals a text for one purpose, such as the token of a server for that server and its origin:
 * stored with another address, it cannot be opened.
 */
export function sealText(secrets: SecretBox, purpose: string, text: string): Buffer {
  return secrets.seal(purpose, Buffer.from(text));
}

/**
 * @returns null when it was sealed for another purpose, or with the key of another installation.
 */
export function openText(secrets: SecretBox, purpose: string, sealed: Buffer): string | null {
  try {
    return secrets.open(purpose, sealed).toString();
  } catch {
    return null;
  }
}
