import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const version = 1;
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts with AES-256-GCM: version, nonce, tag, text.
 *
 * @param key of 32 bytes. @param purpose a sealed text cannot be used for another one.
 */
export function sealWith(key: Buffer, purpose: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed]);
}

/** @throws Error when it was sealed for another purpose, with another key, or is damaged. */
export function openWith(key: Buffer, purpose: string, sealed: Buffer): Buffer {
  if (sealed[0] !== version) throw new Error(`sealed with an unknown version (${sealed[0] ?? 'nothing'})`);
  const nonce = sealed.subarray(1, 1 + nonceLength);
  const tag = sealed.subarray(1 + nonceLength, 1 + nonceLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceLength + tagLength)), decipher.final()]);
}
