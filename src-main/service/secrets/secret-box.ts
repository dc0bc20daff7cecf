import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const keyLength = 32;

/**
 * Encrypts the few secrets that have to be read again (authenticator keys, the signing key):
 * AES-256-GCM with keys derived from one key file that only its owner may read. A copy of the database alone is of no use to a thief.
 */
export interface SecretBox {
  /**
   * @param purpose what it is and whose, such as `totp:12`: a sealed text cannot be used for
   * another purpose.
   */
  seal(purpose: string, plain: Buffer): Buffer;
  /** @throws Error when it was sealed for another purpose, with another key, or is damaged. */
  open(purpose: string, sealed: Buffer): Buffer;
  /** A keyed digest, for short secrets whose plain digest could be searched. */
  mac(purpose: string, text: string): Buffer;
}

/** @param key gives the key that all others are derived from; called on first use. */
export function secretBox(key: () => Buffer): SecretBox {
  let master: Buffer | undefined;
  const derive = (use: string): Buffer => {
    master ??= key();
    return Buffer.from(hkdfSync('sha256', master, '', `benchport ${use}`, keyLength));
  };
  return {
    seal: (purpose, plain) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', derive('seal'), nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed]);
    },
    open: (purpose, sealed) => {
      if (sealed[0] !== version) throw new Error(`sealed with an unknown version (${sealed[0] ?? 'nothing'})`);
      const nonce = sealed.subarray(1, 1 + nonceLength);
      const tag = sealed.subarray(1 + nonceLength, 1 + nonceLength + tagLength);
      const decipher = createDecipheriv('aes-256-gcm', derive('seal'), nonce)
        .setAAD(Buffer.from(purpose))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(1 + nonceLength + tagLength)), decipher.final()]);
    },
    mac: (purpose, text) =>
      createHmac('sha256', derive(`mac ${purpose}`))
        .update(text)
        .digest(),
  };
}
