import { crc32 } from '@node-rs/crc32';
import { createHash, type Hash } from 'node:crypto';
import type { ExpectedFile } from '../members/expected-file.ts';
import type { RunningHash } from './archive-verifier.ts';

/**
 * The checksums of a file whose first bytes may have come to another process. A running SHA-256
 * cannot be handed over, so that of such a file is compared when its object is read back.
 */
export class StreamHash implements RunningHash {
  readonly #sha: Hash | null;
  #crc: number;
  #length: number;

  constructor(before: { readonly length: number; readonly crc32: number }) {
    this.#sha = before.length === 0 ? createHash('sha256') : null;
    this.#crc = before.crc32;
    this.#length = before.length;
  }

  get crc32(): number {
    return this.#crc;
  }

  add(chunk: Buffer): void {
    this.#crc = crc32(chunk, this.#crc) >>> 0;
    this.#length += chunk.length;
    this.#sha?.update(chunk);
  }

  equals({ length, crc32: expected, sha256 }: ExpectedFile): boolean {
    const isAlike = this.#length === length && this.#crc === expected;
    return isAlike && (this.#sha === null || this.#sha.digest('hex') === sha256);
  }
}
