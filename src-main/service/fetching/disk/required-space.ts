import { formatBytes } from '../../common/format-bytes.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import { unpackedBytes } from './unpacked-bytes.ts';

/** Reserve for the database and other writers of the disk. */
export const spareBytes = 64 * 1024 * 1024;

type Sized = Pick<FetchRow, 'bytes_total' | 'bytes_done' | 'unpack'>;

/**
 * Bytes a fetch will still write, as far as known. An unpacked archive temporarily exists twice.
 */
export function bytesToReceive({ bytes_total: total, bytes_done: done, unpack }: Sized): number {
  return total === null ? 0 : Math.max(0, total - done) + (unpack === 1 ? total : 0);
}

/**
 * Free bytes a fetch needs to continue. If space is short, the members already unpacked are
 * counted, because only the rest needs space.
 *
 * @param unpacked returns the bytes already unpacked.
 */
export async function spaceNeeded(
  row: FetchRow,
  free: number,
  unpacked: (row: FetchRow) => Promise<number> = unpackedBytes,
): Promise<number> {
  const [remaining, isUnpacking] = [
    bytesToReceive(row),
    row.unpack === 1 && row.bytes_total !== null && row.bytes_done >= row.bytes_total,
  ];
  const there = isUnpacking && free < remaining + spareBytes ? await unpacked(row) : 0;
  return Math.max(0, remaining - there) + spareBytes;
}

/** The message for a fetch that lacks disk space. */
export function notEnoughSpace(target: string, needed: number, free: number): string {
  return `It still needs ${formatBytes(needed)}, and ${formatBytes(free)} is free on the disk of ${target}. It continues automatically once there is enough space.`;
}
