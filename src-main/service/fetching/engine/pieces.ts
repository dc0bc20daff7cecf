import type { Piece } from './types.ts';

/** Adds a piece to a sorted list without overlaps, and merges adjacent pieces. */
export function addPiece(pieces: Piece[], [start, end]: Piece): void {
  if (end <= start) return;
  let from = 0;
  while (from < pieces.length && (pieces[from]?.[1] ?? 0) < start) from += 1;
  let [first, last, to] = [start, end, from];
  for (let piece = pieces[to]; piece && piece[0] <= end; piece = pieces[to]) {
    first = Math.min(first, piece[0]);
    last = Math.max(last, piece[1]);
    to += 1;
  }
  pieces.splice(from, to - from, [first, last]);
}

/** The gaps of a file in a sorted list of pieces. */
export function gapsOf(pieces: readonly Piece[], length: number): Piece[] {
  const gaps: Piece[] = [];
  let at = 0;
  for (const [start, end] of pieces) {
    if (start > at) gaps.push([at, Math.min(start, length)]);
    at = Math.max(at, end);
  }
  if (at < length) gaps.push([at, length]);
  return gaps;
}

/** The length of the contiguous prefix. */
export function prefixOf(pieces: readonly Piece[]): number {
  const [first] = pieces;
  return first?.[0] === 0 ? first[1] : 0;
}

export function bytesIn(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, [start, end]) => sum + end - start, 0);
}
