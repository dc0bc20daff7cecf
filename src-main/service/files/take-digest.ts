import { crc32 as crcOf } from '@node-rs/crc32';
import { createHash } from 'node:crypto';

/** Computes CRC-32 and SHA-256 of bytes that are received in chunks. */
export function runningDigest(): {
  update(chunk: Buffer): void;
  finish(): { length: number; crc32: number; sha256: Uint8Array };
} {
  const sha = createHash('sha256');
  let crc = 0;
  let length = 0;
  return {
    update: (chunk) => {
      crc = crcOf(chunk, crc);
      sha.update(chunk);
      length += chunk.length;
    },
    finish: () => ({ length, crc32: crc >>> 0, sha256: sha.digest() }),
  };
}
