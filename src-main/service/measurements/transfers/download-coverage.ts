import { addRange, hasRange } from './sent-ranges.ts';

/** Stands for the whole archive where a file index is expected. */
export const archiveTarget = -1;

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
  /** Per file in progress: starts and ends of the sent ranges, alternating and ascending. */
  readonly #pieces = new Map<number, number[]>();
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
  add(target: number, from: number, to: number, length: number): void {
    if (this.isWhole(target)) return;
    if (from === 0 && to >= length) return this.#setWhole(target);
    if (to <= from) return;
    const ends = this.#piecesOf(target);
    const before = ends.length;
    addRange(ends, from, to);
    this.#ends += ends.length - before;
    if (ends.length === 2 && ends[0] === 0 && (ends[1] ?? 0) >= length) return this.#setWhole(target);
    while (this.#ends > maxEnds) this.#forget(this.#pieces.keys().next().value ?? target);
  }

  isWhole(target: number): boolean {
    if (target === archiveTarget) return this.#archiveWhole;
    return ((this.#whole?.[target >> 3] ?? 0) & (1 << (target & 7))) !== 0;
  }

  /** Whether all of these bytes were sent. */
  has(target: number, from: number, to: number): boolean {
    if (this.isWhole(target)) return true;
    return hasRange(this.#pieces.get(target) ?? [], from, to);
  }

  #setWhole(target: number): void {
    this.#forget(target);
    if (target === archiveTarget) {
      this.#archiveWhole = true;
      return;
    }
    if (target < 0 || target >= this.#fileCount) return;
    this.#whole ??= new Uint8Array(Math.ceil(this.#fileCount / 8));
    this.#whole[target >> 3] = (this.#whole[target >> 3] ?? 0) | (1 << (target & 7));
    this.#wholeCount += 1;
  }

  #piecesOf(target: number): number[] {
    const known = this.#pieces.get(target);
    if (known) return known;
    const ends: number[] = [];
    this.#pieces.set(target, ends);
    return ends;
  }

  #forget(target: number): void {
    this.#ends -= this.#pieces.get(target)?.length ?? 0;
    this.#pieces.delete(target);
  }
}
