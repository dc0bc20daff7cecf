import { createHmac, hkdfSync } from 'node:crypto';
import { openWith, sealWith } from './seal-with.ts';

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
  /** A key of 32 bytes for one purpose, the same wherever the key file is. */
  key(purpose: string): Buffer;
}

/** @param key gives the key that all others are derived from; called on first use. */
export function secretBox(key: () => Buffer): SecretBox {
  let master: Buffer | undefined;
  const derive = (use: string): Buffer => {
    master ??= key();
    return Buffer.from(hkdfSync('sha256', master, '', `benchport ${use}`, keyLength));
  };
  return {
    seal: (purpose, plain) => sealWith(derive('seal'), purpose, plain),
    open: (purpose, sealed) => openWith(derive('seal'), purpose, sealed),
    mac: (purpose, text) =>
      createHmac('sha256', derive(`mac ${purpose}`))
        .update(text)
        .digest(),
    key: (purpose) => derive(`key ${purpose}`),
  };
}
