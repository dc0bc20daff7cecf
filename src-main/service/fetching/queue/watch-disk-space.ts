import { bytesToReceive, notEnoughSpace, spareBytes } from '../disk/required-space.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { reservedBytes, type QueueContext } from './queue-context.ts';

// Other programs may fill the disk. Below this, fetches stop, so that the database still has space.
const minFreeBytes = spareBytes / 4;

/**
 * Stops fetches that lack disk space: for all remaining bytes, checked once the total is known, and
 * at any time for the reserve.
 */
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
  const message = notEnoughSpace(live.row.target, needed, free);
  stopLive(live, { event: 'ask', update: { reason: 'disk-full', message, retryAt: null } });
}
