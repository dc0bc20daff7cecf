import type { FetchPieces } from '../../../api/requests/types.ts';

export type PieceState = 'verified' | 'done' | 'part' | 'coming' | 'open';

/**
 * Bytes of the `[first, after the last]` ranges that intersect another one. Ranges may touch, but
 * do not overlap.
 */
function within(ranges: FetchPieces['done'], from: number, to: number): number {
  return ranges.reduce((sum, [first, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(first, from)), 0);
}

/** A file divided into equal cells, with the state of each. */
export function pieceCells({ length, done, coming, verified }: Omit<FetchPieces, 'path'>, count: number): PieceState[] {
  if (length === null || length === 0) return [];
  const cells = Math.min(count, length);
  if (verified) return Array.from({ length: cells }, () => 'verified');
  return Array.from({ length: cells }, (_, cell): PieceState => {
    const from = Math.floor((length * cell) / cells);
    const to = Math.floor((length * (cell + 1)) / cells);
    const there = within(done, from, to);
    if (there >= to - from) return 'done';
    if (within(coming, from, to) > 0) return 'coming';
    return there > 0 ? 'part' : 'open';
  });
}

/** The pieces as a sentence: percent on disk, in how many pieces, and how many are in flight. */
export function pieceWords({ length, done, coming, verified }: Omit<FetchPieces, 'path'>): string {
  if (verified) return 'All of it is on the disk and verified';
  if (length === null) return 'The server does not give the length of this file, so it arrives in one piece.';
  const there = done.reduce((sum, [first, end]) => sum + end - first, 0);
  const percent = length === 0 ? 100 : Math.floor((there / length) * 100);
  const pieces = `${done.length} ${done.length === 1 ? 'piece' : 'pieces'}`;
  return `${percent} % on the disk in ${pieces}, ${coming.length === 0 ? 'none' : coming.length} on the way`;
}
