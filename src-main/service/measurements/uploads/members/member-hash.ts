import { createHash, type Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { RunningSums } from '../../store/block-sums.ts';
import { pieceBytes, PieceHashes } from '../../store/piece-hashes.ts';
import type { ExpectedFile } from './expected-file.ts';

const sliceBytes = 4 * 1024 * 1024;

/** The checksums of the bytes of a file, computed while they come. */
export class MemberHash {
  readonly #sha: Hash = createHash('sha256');
  readonly #sums: RunningSums;
  readonly #pieces: PieceHashes | null;
  #isStopped = false;

  constructor(length: number) {
    this.#sums = new RunningSums(length);
    this.#pieces = length > pieceBytes ? new PieceHashes() : null;
  }

  /** Number of bytes. */
  get length(): number {
    return this.#sums.length;
  }

  get crc32(): number {
    return this.#sums.crc32;
  }

  get blocks(): Uint8Array | null {
    return this.#sums.blocks;
  }

  /** The hashes of its pieces; null for a file of one. May be called once, when it is whole. */
  pieces(): Uint8Array | null {
    return this.#pieces?.finish() ?? null;
  }

  add(chunk: Buffer): void {
    this.#sums.add(chunk);
    this.#sha.update(chunk);
    this.#pieces?.add(chunk);
  }

  /** Reads what came before this process began, in slices, so that other uploads go on meanwhile. */
  async catchUp(fd: number, end: () => number): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(sliceBytes, Math.max(1, end() - this.length)));
    while (this.length < end() && !this.#isStopped) {
      const count = readSync(fd, buffer, 0, Math.min(buffer.length, end() - this.length), this.length);
      if (count === 0) throw new Error('a file became shorter while it was received');
      this.add(buffer.subarray(0, count));
      await setImmediate();
    }
  }

  /** Before its file is closed: another one may get the same descriptor. */
  stop(): void {
    this.#isStopped = true;
  }

  /** May be called once. */
  equals({ length, crc32, sha256 }: ExpectedFile): boolean {
    return this.length === length && this.#sums.crc32 === crc32 && this.#sha.digest('hex') === sha256;
  }
}
