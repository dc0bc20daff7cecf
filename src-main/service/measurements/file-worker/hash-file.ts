import { crc32 } from '@node-rs/crc32';
import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { RunningSums } from '../store/block-sums.ts';
import { pieceBytes, PieceHashes } from '../store/piece-hashes.ts';
import { openAtPath } from '../../files/file-descriptor.ts';
import { reachedThroughSymlink } from '../storage/file-errors.ts';
import type { HashItem, Reading, ReadFile } from '../../files/hash-messages.ts';

export const bufferBytes = 1024 * 1024;
const attempts = 3;
// File systems take timestamps from the last clock tick (1 to 10 ms), so a change within the same
// tick could not be seen.
const clockTickMs = 20;
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const sleepWord = new Int32Array(new SharedArrayBuffer(4));

/** The file changed during each of three attempts to read it. */
export class ChangingError extends Error {}

/**
 * Computes both checksums in one read. Size, timestamps and identity are compared before and after;
 * if they differ, the file is read again.
 *
 * @param sink Receives every chunk, and null before each attempt.
 * @throws ChangingError after the third attempt.
 */
export function hashFile(
  item: Pick<HashItem, 'file' | 'linkFree' | 'pieces'>,
  reading: Reading,
  sink?: (chunk: Buffer | null) => void,
): ReadFile {
  const { file, linkFree = false, pieces = false } = item;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    sink?.(null);
    const fd = linkFree ? openAtPath(file, () => openSync(file, flags)) : openSync(file, flags);
    if (fd < 0) throw new ChangingError(reachedThroughSymlink);
    try {
      const before = settledStats(fd);
      if (!before.isFile()) throw new ChangingError('it is not a file any more');
      const read = readAll(fd, { expected: Number(before.size), withPieces: pieces }, reading, sink);
      const at = Date.now();
      if (read.length === Number(before.size) && same(before, lstatSync(file, { bigint: true }))) {
        return { ...read, mtimeNs: String(before.mtimeNs), ctimeNs: String(before.ctimeNs), at };
      }
    } finally {
      closeSync(fd);
    }
  }
  throw new ChangingError('it kept changing while it was read');
}

function settledStats(fd: number): BigIntStats {
  const stats = fstatSync(fd, { bigint: true });
  const age = Date.now() - Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs));
  if (age < 0 || age >= clockTickMs) return stats;
  Atomics.wait(sleepWord, 0, 0, clockTickMs - age);
  return fstatSync(fd, { bigint: true });
}

function same(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs &&
    before.ino === after.ino &&
    before.dev === after.dev
  );
}

function readAll(
  fd: number,
  { expected, withPieces }: { readonly expected: number; readonly withPieces: boolean },
  reading: Reading,
  sink?: (chunk: Buffer) => void,
): Pick<ReadFile, 'length' | 'crc32' | 'sha256' | 'blocks' | 'pieces'> {
  const { buffer } = reading;
  let filled = readSync(fd, buffer, 0, buffer.length, null);
  if (filled === expected && filled < buffer.length) {
    // Most files are small and need one read and one call per checksum.
    const all = buffer.subarray(0, filled);
    reading.step(filled);
    sink?.(all);
    return { length: filled, crc32: crc32(all) >>> 0, sha256: hash('sha256', all), blocks: null, pieces: null };
  }
  const sha = createHash('sha256');
  const sums = new RunningSums(expected);
  const pieces = withPieces && expected > pieceBytes ? new PieceHashes() : null;
  while (filled > 0) {
    const chunk = buffer.subarray(0, filled);
    sums.add(chunk);
    sha.update(chunk);
    pieces?.add(chunk);
    sink?.(chunk);
    reading.step(filled);
    filled = readSync(fd, buffer, 0, buffer.length, null);
  }
  return {
    length: sums.length,
    crc32: sums.crc32,
    sha256: sha.digest('hex'),
    blocks: sums.blocks,
    pieces: pieces?.finish() ?? null,
  };
}
