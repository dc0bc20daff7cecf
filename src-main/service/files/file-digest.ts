import { crc32 as crcOf } from '@node-rs/crc32';
import { createHash, hash } from 'node:crypto';

/** The measured length and checksums of a file. */
export interface FileDigest {
  readonly length: number;
  readonly crc32: number;
  readonly sha256: Uint8Array;
}

/** Computes the checksums of bytes that are received in chunks. */
export interface RunningDigest {
  update(chunk: Buffer): void;
  finish(): FileDigest;
}

export function runningDigest(): RunningDigest {
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

/** The checksums of bytes in memory. */
export function digestOf(bytes: Buffer): FileDigest {
  return { length: bytes.length, crc32: crcOf(bytes) >>> 0, sha256: hash('sha256', bytes, 'buffer') };
}
