import type { FetchAction, FetchState } from '../../contract/fetches.ts';
import { queuedAgain } from './after-run.ts';
import type { FetchUpdate } from '../store/fetch-row.ts';
import type { FetchIds } from '../store/fetches-store.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { moved } from './move-fetches.ts';
import type { QueueParts } from './queue-parts.ts';
import { discard } from './run-fetch.ts';

type Move = 'first' | 'earlier' | 'later' | 'last';

const unended: readonly FetchState[] = ['queued', 'waiting', 'asking', 'paused'];
const ended: readonly FetchState[] = ['done', 'failed', 'cancelled'];
const everyPriority = [1, 0, -1];
const toQueue: FetchUpdate = { ...queuedAgain, attempts: 0 };

/**
 * Does something with fetches; those with which it cannot be done stay as they are. What runs is stopped first.
 *
 * @param of with 'all': `retry` takes what has failed, and not what was cancelled; `remove` what has ended.
 * @returns how many have changed.
 */
export async function actOnFetches(parts: QueueParts, action: FetchAction, of: FetchIds): Promise<number> {
  switch (action) {
    case 'pause':
      return stopThose(parts, of, ['queued', 'waiting', 'asking'], { state: 'paused', reason: null, message: null, retryAt: null });
    case 'resume':
      return resume(parts, of);
    case 'cancel':
      return cancel(parts, of);
    case 'retry':
      return parts.serial.run(async () => retry(parts, of));
    case 'remove':
      return remove(parts, of);
    case 'clear':
      return parts.serial.run(async () => clear(parts, of));
    case 'verify':
      return parts.serial.run(async () => parts.fetches.updateAll(await parts.fetches.ids(of, ['done', 'failed']), ['done', 'failed'], { state: 'queued' }));
    case 'first':
    case 'earlier':
    case 'later':
    case 'last':
      return parts.serial.run(async () => move(parts, of, action));
  }
}

function livesOf(parts: QueueParts, of: FetchIds): readonly LiveFetch[] {
  const ids = of === 'all' ? null : new Set(of);
  return [...parts.live.values()].filter(({ row }) => ids === null || ids.has(row.id));
}

/** Stops what runs, changes what does not, and waits until everything has stopped. What is only read once more goes back to how it was. */
async function stopThose(parts: QueueParts, of: FetchIds, states: readonly FetchState[], update: FetchUpdate): Promise<number> {
  const lives = await parts.serial.run(async () => {
    const running = livesOf(parts, of);
    for (const live of running) stopLive(live, update);
    const stored = await parts.fetches.ids(of, states, false);
    const changed = (await parts.fetches.updateAll(stored, states, update)) + (await parts.fetches.unverify(await parts.fetches.ids(of, ['queued'], true)));
    return { running, stored, changed };
  });
  await Promise.all(lives.running.map(({ ended: end }) => end));
  return lives.changed + lives.running.length;
}

async function resume(parts: QueueParts, of: FetchIds): Promise<number> {
  return parts.serial.run(async () => {
    // Now, and not when the server was to be asked again.
    parts.holds.clear();
    const states = ['paused', 'waiting', 'asking'] as const;
    const stopping = livesOf(parts, of).filter(({ stopAs }) => stopAs?.state === 'paused');
    for (const live of stopping) live.stopAs = toQueue;
    return stopping.length + (await parts.fetches.updateAll(await parts.fetches.ids(of, states), states, toQueue));
  });
}

async function cancel(parts: QueueParts, of: FetchIds): Promise<number> {
  const begun = await parts.serial.run(async () => parts.fetches.begun(await parts.fetches.ids(of, unended, false)));
  const changed = await stopThose(parts, of, unended, cancelled(parts));
  await parts.serial.run(async () => discardEach(parts, begun));
  return changed;
}

function cancelled({ clock }: QueueParts): FetchUpdate {
  return { state: 'cancelled', reason: null, message: null, retryAt: null, endedAt: clock.now() };
}

async function discardEach(parts: QueueParts, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const row = await parts.fetches.byId(id);
    // It may have been begun again meanwhile.
    if (row && ended.includes(row.state)) await discard(parts, row);
  }
}

async function retry(parts: QueueParts, of: FetchIds): Promise<number> {
  const states: readonly FetchState[] = of === 'all' ? ['failed'] : ['failed', 'cancelled'];
  const ids = await parts.fetches.ids(of, states);
  const begun = await parts.fetches.begun(ids);
  const anew = new Set(await parts.fetches.withReason(ids, ['manifest-changed', 'bad-manifest', 'bad-archive']));
  // Another manifest is wanted then; files that are right already are found and kept.
  for (const id of anew) await parts.files.clear(id);
  await parts.files.retryFailed(begun.filter((id) => !anew.has(id)));
  return parts.fetches.updateAll(ids, states, { ...toQueue, endedAt: null });
}

async function remove(parts: QueueParts, of: FetchIds): Promise<number> {
  const { fetches, files, serial } = parts;
  if (of === 'all') {
    return serial.run(async () => {
      const ids = await fetches.ids('all', ended);
      await discardEach(parts, await fetches.begun(await fetches.ids('all', ['failed'])));
      await files.remove(ids);
      return ids.length;
    });
  }
  const { lives, partial } = await serial.run(async () => {
    const running = livesOf(parts, of);
    for (const live of running) stopLive(live, cancelled(parts));
    const half = await fetches.begun([...(await fetches.ids(of, unended, false)), ...(await fetches.ids(of, ['failed']))]);
    await fetches.updateAll(await fetches.ids(of, unended), unended, cancelled(parts));
    return { lives: running, partial: half };
  });
  await Promise.all(lives.map(({ ended: end }) => end));
  return serial.run(async () => {
    await discardEach(parts, partial);
    const ids = (await fetches.ids(of, ended)).filter((id) => !parts.live.has(id));
    await files.remove(ids);
    return ids.length;
  });
}

async function clear({ fetches, files }: QueueParts, of: FetchIds): Promise<number> {
  const ids = await fetches.ids(of, ['done']);
  await files.remove(ids);
  return ids.length;
}

async function move(parts: QueueParts, of: FetchIds, where: Move): Promise<number> {
  if (of === 'all') return 0;
  const ids = new Set(of);
  let changed = 0;
  for (const priority of everyPriority) {
    // What runs stands before what waits, wherever each has its place.
    for (const running of [true, false]) {
      const positions = moved(await parts.fetches.sequence(priority, running), ids, where);
      if (positions.length > 0) await parts.fetches.setPositions(positions);
      changed += positions.filter(({ id }) => ids.has(id)).length;
    }
  }
  return changed;
}
