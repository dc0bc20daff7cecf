import { createPublicKey, verify } from 'node:crypto';
import { UnverifiedUpdate } from './update-rules.ts';

const day = 24 * 3600_000;
/** A feed's file is signed anew at least this often; an older one may be a version with known faults, served for ever. */
const maxAgeMs = 90 * day;

/** A feed's file and the signature beside it. */
export interface SignedFeedFile {
  /** Its name, which holds channel and platform: `latest-linux.yml`. */
  readonly name: string;
  readonly text: string;
  /** The file beside it: the day of signing in UTC and the signature in base64, as docs/release.md makes it: `2026-11-23 mDk...==`. */
  readonly signature: string;
}

/**
 * Makes sure that a feed's file was signed under its own name, not long ago, with the key of whoever makes our releases (Ed25519, RFC 8032). It names each
 * package by its SHA-512, so packages are covered too. Neither https nor the code signatures of a system do that everywhere: Linux packages have none.
 *
 * @param key base64 of the public key (SubjectPublicKeyInfo, DER)
 * @param now milliseconds since 1970
 * @throws UnprovenUpdate when it is not signed so, or too long ago
 */
export function verifyFeed({ name, text, signature }: SignedFeedFile, key: string, now: number): void {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const [, date = '', value = ''] = /^(\d{4}-\d{2}-\d{2}) ([\w+/]+=*)\s*$/.exec(signature) ?? [];
  const signed = Buffer.from(`benchport-feed\n${name}\n${date}\n${text}`);
  const isSigned =
    date !== '' &&
    publicKey.asymmetricKeyType === 'ed25519' &&
    verify(null, signed, publicKey, Buffer.from(value, 'base64'));
  if (!isSigned)
    throw new UnverifiedUpdate(
      'The update server offers an update without a valid Benchport signature. Nothing was downloaded.',
    );
  // NaN, for a day that no calendar has, is refused as well.
  if (!(now - Date.parse(date) <= maxAgeMs)) {
    throw new UnverifiedUpdate(
      `The update server's offer was signed on ${date}, more than 90 days ago, so it may hide newer versions. Nothing was downloaded.`,
    );
  }
}
