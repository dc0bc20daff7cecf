import { bytesToReceive, notEnoughSpace, spareBytes } from '../disk/required-space.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { reservedBytes, type QueueContext } from './queue-context.ts';

// Somebody else may fill the disk: below this much nothing goes on, so that the database still has room.
const minFreeBytes = spareBytes / 4;

/** Stops what runs and has no room: all that is still to come, once that is known, and at any time the last of the disk. */
export async function watchDiskSpace(context: QueueContext): Promise<void> {
  for (const live of [...context.live.values()].filter(({ verifying, stopAs }) => !verifying && stopAs === null)) {
    const row = await context.fetches.byId(live.row.id);
    if (!row) continue;
    live.bytesToReceive = bytesToReceive({ ...row, bytes_done: Math.max(row.bytes_done, live.progress.bytesDone) });
    live.bytesTotal = row.bytes_total;
    const isFirstLook = !live.sized && row.bytes_total !== null;
    const space = await context.diskSpace(row.target);
    if (!space) continue;
    const free = space.free - (isFirstLook ? reservedBytes(context.live, live.disk, row.id) : 0);
    const needed = isFirstLook ? live.bytesToReceive + spareBytes : Math.min(minFreeBytes, live.bytesToReceive);
    if (isFirstLook) live.sized = true;
    if (free < needed) isDiskFull(live, live.bytesToReceive + spareBytes, Math.max(0, free));
  }
}

function isDiskFull(live: LiveFetch, needed: number, free: number): void {
  stopLive(live, {
    state: 'asking',
    reason: 'disk-full',
    message: notEnoughSpace(live.row.target, needed, free),
    retryAt: null,
  });
}
