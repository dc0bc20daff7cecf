import { formatBytes } from '../format-bytes.ts';
import type { FetchRow } from './fetch-row.ts';

/** Left free for the database, and for what else writes to that disk. */
export const spareBytes = 64 * 1024 * 1024;

type Sized = Pick<FetchRow, 'bytes_total' | 'bytes_done' | 'unpack'>;

/** What a fetch will still write, as far as it is known. An archive that is unpacked is there twice for a while. */
export function bytesToCome({ bytes_total: total, bytes_done: done, unpack }: Sized): number {
  return total === null ? 0 : Math.max(0, total - done) + (unpack === 1 ? total : 0);
}

/** The line for a fetch that has not enough room. */
export function noRoom(target: string, needed: number, free: number): string {
  return `It still needs ${formatBytes(needed)}, and ${formatBytes(free)} are free on the disk of ${target}. It goes on by itself when there is room.`;
}
