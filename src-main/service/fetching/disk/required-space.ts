import { formatBytes } from '../../common/format-bytes.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import { unpackedBytes } from './unpacked-bytes.ts';

/** Left free for the database, and for what else writes to that disk. */
export const spareBytes = 64 * 1024 * 1024;

type Sized = Pick<FetchRow, 'bytes_total' | 'bytes_done' | 'unpack'>;

/** What a fetch will still write, as far as it is known. An archive that is unpacked is there twice for a while. */
export function bytesToReceive({ bytes_total: total, bytes_done: done, unpack }: Sized): number {
  return total === null ? 0 : Math.max(0, total - done) + (unpack === 1 ? total : 0);
}

/**
 * Bytes that have to be free for a fetch to go on. Where these are not there, it is looked what of an archive is unpacked already: only the rest of it needs
 * room.
 *
 * @param unpacked tells bytes of a fetch that are unpacked.
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

/** The line for a fetch that has not enough room. */
export function notEnoughSpace(target: string, needed: number, free: number): string {
  return `It still needs ${formatBytes(needed)}, and ${formatBytes(free)} is free on the disk of ${target}. It continues automatically when there is room.`;
}
