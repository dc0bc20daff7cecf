import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

const hashedInTurn = 512 * 1024;

/** Hashes in slices, so that the event loop is not blocked. @returns the digest, hexadecimal. */
export async function hashInTurns(algorithm: 'sha256' | 'md5', bytes: Buffer): Promise<string> {
  const hash = createHash(algorithm);
  for (let at = 0; at < bytes.length; at += hashedInTurn) {
    hash.update(bytes.subarray(at, at + hashedInTurn));
    await setImmediate();
  }
  return hash.digest('hex');
}
