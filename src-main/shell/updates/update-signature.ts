import { createPublicKey, verify } from 'node:crypto';
import { UnverifiedUpdate } from './update-rules.ts';

const day = 24 * 3600_000;
/**
 * A channel file is re-signed at least this often; an older one may be a replayed version with
 * known vulnerabilities.
 */
const maxAgeMs = 90 * day;

/** A channel file and the signature beside it. */
export interface SignedFeedFile {
  /** The file's name, which contains channel and platform: `latest-linux.yml`. */
  readonly name: string;
  readonly text: string;
  /**
   * The signature file: the signing date in UTC and the signature in base64, as docs/release.md
   * describes: `2026-11-23 mDk...==`.
   */
  readonly signature: string;
}

/**
 * Verifies that a channel file was signed under its own name, recently, with the release key
 * (Ed25519, RFC 8032). It contains the SHA-512 of each package, so packages are covered too.
 * Neither https nor the code signatures of the platforms achieve that everywhere: Linux packages
 * have none.
 * @param key base64 of the public key (SubjectPublicKeyInfo, DER)
 * @param now milliseconds since 1970
 * @throws UnverifiedUpdate if the signature is invalid or too old
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
  // Also refuses NaN, the result of a date that does not exist.
  if (!(now - Date.parse(date) <= maxAgeMs)) {
    throw new UnverifiedUpdate(
      `The update server's offer was signed on ${date}, more than 90 days ago, so it may hide newer versions. Nothing was downloaded.`,
    );
  }
}
