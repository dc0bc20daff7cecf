import { bytesToCome, noRoom, spareBytes } from '../disk/disk-need.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { promised, type QueueParts } from './queue-parts.ts';

// Somebody else may fill the disk: below this much nothing goes on, so that the database still has room.
const least = spareBytes / 4;

/** Stops what runs and has no room: all that is still to come, once that is known, and at any time the last of the disk. */
export async function watchRoom(parts: QueueParts): Promise<void> {
  for (const live of [...parts.live.values()].filter(({ verifying, stopAs }) => !verifying && stopAs === null)) {
    const row = await parts.fetches.byId(live.row.id);
    if (!row) continue;
    live.toCome = bytesToCome({ ...row, bytes_done: Math.max(row.bytes_done, live.progress.bytesDone) });
    live.bytesTotal = row.bytes_total;
    const isFirstLook = !live.sized && row.bytes_total !== null;
    const room = await parts.room(row.target);
    if (!room) continue;
    const free = room.free - (isFirstLook ? promised(parts.live, live.disk, row.id) : 0);
    const needed = isFirstLook ? live.toCome + spareBytes : Math.min(least, live.toCome);
    if (isFirstLook) live.sized = true;
    if (free < needed) outOfRoom(live, live.toCome + spareBytes, Math.max(0, free));
  }
}

function outOfRoom(live: LiveFetch, needed: number, free: number): void {
  stopLive(live, { state: 'asking', reason: 'disk-full', message: noRoom(live.row.target, needed, free), retryAt: null });
}
