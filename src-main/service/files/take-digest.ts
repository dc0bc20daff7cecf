import { crc32 as crcOf } from '@node-rs/crc32';
import { createHash } from 'node:crypto';

/** Both checksums of bytes that come chunk by chunk. */
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
