import { crc32 } from '@node-rs/crc32';
import { createHash } from 'node:crypto';

/**
 * Bytes generated from a seed: any part can be generated without the parts before it, and no two
 * parts are alike.
 */
export interface Content {
  readonly seed: number;
  readonly length: number;
}

export interface Facts {
  readonly crc32: number;
  readonly sha256: Buffer;
}

const sliceBytes = 1024 * 1024;

/** The bytes from `start` to before `end`. */
export function bytesOf(seed: number, start: number, end: number): Buffer {
  const first = Math.floor(start / 4);
  const words = new Uint32Array(Math.ceil(end / 4) - first);
  const salt = Math.imul(seed, 0x9e3779b1);
  // The finaliser of MurmurHash3 over the number of each word.
  for (let i = 0; i < words.length; i += 1) {
    let word = (first + i) ^ salt;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    words[i] = word ^ (word >>> 16);
  }
  return Buffer.from(words.buffer, start - first * 4, end - start);
}

/** The bytes from `start` to before `end`, in slices. */
export function* slicesOf(content: Content, start = 0, end = content.length, size = sliceBytes): Generator<Buffer> {
  for (let at = start; at < end; at += size) yield bytesOf(content.seed, at, Math.min(at + size, end));
}

/** Checksums of all bytes. */
export function factsOf(content: Content): Facts {
  const hash = createHash('sha256');
  let checksum = 0;
  for (const slice of slicesOf(content)) {
    hash.update(slice);
    checksum = crc32(slice, checksum);
  }
  return { crc32: checksum, sha256: hash.digest() };
}
