import type { FileSelection } from '../../files/file-ranges.ts';
import { addRange, hasRange } from './sent-ranges.ts';

/** Stands for the whole archive where a file index is expected. */
export const archiveTarget = -1;

/** The target of bytes: a file by its index, the whole archive, or the archive of some files. */
export type DownloadTarget = number | FileSelection;

/**
 * Most range boundaries kept for all files together; beyond it, the file begun first is forgotten
 * and counts as partial.
 */
const maxEnds = 1024;

/**
 * Records which files of a measurement were sent completely, in one response or several: a bit per
 * file, and the sent ranges of files in progress. Memory is bounded by the number of files.
 */
export class DownloadCoverage {
  readonly #fileCount: number;
  #whole: Uint8Array | null = null;
  /** Per file or archive in progress: starts and ends of the sent ranges, alternating and ascending. */
  readonly #pieces = new Map<number | string, number[]>();
  #ends = 0;
  #wholeCount = 0;
  #archiveWhole = false;

  constructor(fileCount: number) {
    this.#fileCount = fileCount;
  }

  get wholeFiles(): number {
    return this.#wholeCount;
  }

  get archiveWhole(): boolean {
    return this.#archiveWhole;
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return (this.#whole?.length ?? 0) + this.#ends * 8;
  }

  /** Adds the bytes from `from` up to but excluding `to` of a file or archive of `length` bytes. */
  add(target: DownloadTarget, from: number, to: number, length: number): void {
    if (this.isWhole(target)) return;
    if (from === 0 && to >= length) return this.#setWhole(target);
    if (to <= from) return;
    const key = keyOf(target);
    const ends = this.#piecesOf(key);
    const before = ends.length;
    addRange(ends, from, to);
    this.#ends += ends.length - before;
    if (ends.length === 2 && ends[0] === 0 && (ends[1] ?? 0) >= length) return this.#setWhole(target);
    while (this.#ends > maxEnds) this.#forget(this.#pieces.keys().next().value ?? key);
  }

  isWhole(target: DownloadTarget): boolean {
    if (typeof target !== 'number') return target.ranges.every(({ first, last }) => this.#areWhole(first, last));
    return target === archiveTarget ? this.#archiveWhole : this.#areWhole(target, target);
  }

  /** Whether all of these bytes were sent. */
  has(target: DownloadTarget, from: number, to: number): boolean {
    if (this.isWhole(target)) return true;
    return hasRange(this.#pieces.get(keyOf(target)) ?? [], from, to);
  }

  #areWhole(first: number, last: number): boolean {
    for (let index = first; index <= last; index += 1)
      if (((this.#whole?.[index >> 3] ?? 0) & (1 << (index & 7))) === 0) return false;
    return true;
  }

  #setWhole(target: DownloadTarget): void {
    this.#forget(keyOf(target));
    if (target === archiveTarget) {
      this.#archiveWhole = true;
      return;
    }
    const ranges = typeof target === 'number' ? [{ first: target, last: target }] : target.ranges;
    for (const { first, last } of ranges) for (let index = first; index <= last; index += 1) this.#setFileWhole(index);
  }

  #setFileWhole(index: number): void {
    if (index < 0 || index >= this.#fileCount || this.#areWhole(index, index)) return;
    this.#whole ??= new Uint8Array(Math.ceil(this.#fileCount / 8));
    this.#whole[index >> 3] = (this.#whole[index >> 3] ?? 0) | (1 << (index & 7));
    this.#wholeCount += 1;
  }

  #piecesOf(key: number | string): number[] {
    const known = this.#pieces.get(key);
    if (known) return known;
    const ends: number[] = [];
    this.#pieces.set(key, ends);
    return ends;
  }

  #forget(key: number | string): void {
    this.#ends -= this.#pieces.get(key)?.length ?? 0;
    this.#pieces.delete(key);
  }
}

/** The key of a target, small whatever its selection is. */
export function keyOf(target: DownloadTarget): number | string {
  return typeof target === 'number' ? target : target.digest;
}
