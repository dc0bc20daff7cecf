import { hash } from 'node:crypto';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { Piece } from '../types.ts';
import type { PieceList } from '../manifest/read-pieces.ts';

const readAt = promisify(read);

/**
 * Reads a file and returns the ranges of its pieces whose SHA-256 is another, adjacent ones apart.
 *
 * @throws the read error, or the signal's reason.
 */
export async function badPieces(
  fd: number,
  length: number,
  { pieceLength, sha256 }: PieceList,
  signal: AbortSignal,
): Promise<readonly Piece[]> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceLength, length));
  const bad: Piece[] = [];
  for (const [at, expected] of sha256.entries()) {
    signal.throwIfAborted();
    const start = at * pieceLength;
    const end = Math.min(start + pieceLength, length);
    const filled = await readWhole(fd, buffer.subarray(0, end - start), start);
    if (filled < end - start || hash('sha256', buffer.subarray(0, filled)) !== expected) bad.push([start, end]);
  }
  return bad;
}

async function readWhole(fd: number, buffer: Buffer, start: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await readAt(fd, buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) return filled;
    filled += bytesRead;
  }
  return filled;
}
