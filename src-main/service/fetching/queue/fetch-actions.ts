import type { FetchAction, FetchState } from '../../contract/fetches.ts';
import { queuedAgain } from './after-run.ts';
import type { FetchUpdate } from '../store/fetch-row.ts';
import type { FetchIds } from '../store/fetches-store.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { moved } from './move-fetches.ts';
import type { QueueContext } from './queue-context.ts';
import { discard } from './run-fetch.ts';

type Move = 'first' | 'earlier' | 'later' | 'last';

const unended: readonly FetchState[] = ['queued', 'waiting', 'asking', 'paused'];
const ended: readonly FetchState[] = ['done', 'failed', 'cancelled'];
const everyPriority = [1, 0, -1];
const toQueue: FetchUpdate = { ...queuedAgain, attempts: 0 };

/**
 * Applies an action to fetches and skips those it does not apply to. Running ones are stopped
 * first.
 *
 * @param of with 'all', `retry` takes failed but not cancelled fetches, and `remove` all ended
 * ones.
 * @returns the number of changed fetches.
 */
export async function actOnFetches(context: QueueContext, action: FetchAction, of: FetchIds): Promise<number> {
  switch (action) {
    case 'pause':
      return stopThose(context, of, ['queued', 'waiting', 'asking'], {
        state: 'paused',
        reason: null,
        message: null,
        retryAt: null,
      });
    case 'resume':
      return resume(context, of);
    case 'cancel':
      return cancel(context, of);
    case 'retry':
      return context.serial.run(async () => retry(context, of));
    case 'remove':
      return remove(context, of);
    case 'clear':
      return context.serial.run(async () => clear(context, of));
    case 'verify':
      return context.serial.run(async () =>
        context.fetches.updateAll(await context.fetches.ids(of, ['done', 'failed']), ['done', 'failed'], {
          state: 'queued',
        }),
      );
    case 'first':
    case 'earlier':
    case 'later':
    case 'last':
      return context.serial.run(async () => move(context, of, action));
  }
}

function livesOf(context: QueueContext, of: FetchIds): readonly LiveFetch[] {
  const ids = of === 'all' ? null : new Set(of);
  return [...context.live.values()].filter(({ row }) => ids === null || ids.has(row.id));
}

/**
 * Stops running fetches, updates the others, and waits until all have stopped. A queued
 * verification returns to its previous state.
 */
async function stopThose(
  context: QueueContext,
  of: FetchIds,
  states: readonly FetchState[],
  update: FetchUpdate,
): Promise<number> {
  const lives = await context.serial.run(async () => {
    const running = livesOf(context, of);
    for (const live of running) stopLive(live, update);
    const stored = await context.fetches.ids(of, states, false);
    const changed =
      (await context.fetches.updateAll(stored, states, update)) +
      (await context.fetches.unverify(await context.fetches.ids(of, ['queued'], true)));
    return { running, stored, changed };
  });
  await Promise.all(lives.running.map(({ ended: end }) => end));
  return lives.changed + lives.running.length;
}

async function resume(context: QueueContext, of: FetchIds): Promise<number> {
  return context.serial.run(async () => {
    // The user wants a retry now, before the back-off ends.
    context.backoffs.clear();
    const states = ['paused', 'waiting', 'asking'] as const;
    const stopping = livesOf(context, of).filter(({ stopAs }) => stopAs?.state === 'paused');
    for (const live of stopping) live.stopAs = toQueue;
    return stopping.length + (await context.fetches.updateAll(await context.fetches.ids(of, states), states, toQueue));
  });
}

async function cancel(context: QueueContext, of: FetchIds): Promise<number> {
  const begun = await context.serial.run(async () =>
    context.fetches.begun(await context.fetches.ids(of, unended, false)),
  );
  const changed = await stopThose(context, of, unended, cancelled(context));
  await context.serial.run(async () => discardEach(context, begun));
  return changed;
}

function cancelled({ clock }: QueueContext): FetchUpdate {
  return { state: 'cancelled', reason: null, message: null, retryAt: null, endedAt: clock.now() };
}

async function discardEach(context: QueueContext, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const row = await context.fetches.byId(id);
    // It may have been started again meanwhile.
    if (row && ended.includes(row.state)) await discard(context, row);
  }
}

async function retry(context: QueueContext, of: FetchIds): Promise<number> {
  const states: readonly FetchState[] = of === 'all' ? ['failed'] : ['failed', 'cancelled'];
  const ids = await context.fetches.ids(of, states);
  const begun = await context.fetches.begun(ids);
  const restarted = new Set(await context.fetches.withReason(ids, ['manifest-changed', 'bad-manifest', 'bad-archive']));
  // The manifest is read again; files that are already correct are kept.
  for (const id of restarted) await context.files.clear(id);
  await context.files.retryFailed(begun.filter((id) => !restarted.has(id)));
  return context.fetches.updateAll(ids, states, { ...toQueue, endedAt: null });
}

async function remove(context: QueueContext, of: FetchIds): Promise<number> {
  const { fetches, files, serial } = context;
  if (of === 'all') {
    return serial.run(async () => {
      const ids = await fetches.ids('all', ended);
      await discardEach(context, await fetches.begun(await fetches.ids('all', ['failed'])));
      await files.remove(ids);
      return ids.length;
    });
  }
  const { lives, partial } = await serial.run(async () => {
    const running = livesOf(context, of);
    for (const live of running) stopLive(live, cancelled(context));
    const half = await fetches.begun([
      ...(await fetches.ids(of, unended, false)),
      ...(await fetches.ids(of, ['failed'])),
    ]);
    await fetches.updateAll(await fetches.ids(of, unended), unended, cancelled(context));
    return { lives: running, partial: half };
  });
  await Promise.all(lives.map(({ ended: end }) => end));
  return serial.run(async () => {
    await discardEach(context, partial);
    const ids = (await fetches.ids(of, ended)).filter((id) => !context.live.has(id));
    await files.remove(ids);
    return ids.length;
  });
}

async function clear({ fetches, files }: QueueContext, of: FetchIds): Promise<number> {
  const ids = await fetches.ids(of, ['done']);
  await files.remove(ids);
  return ids.length;
}

async function move(context: QueueContext, of: FetchIds, where: Move): Promise<number> {
  if (of === 'all') return 0;
  const ids = new Set(of);
  let changed = 0;
  for (const priority of everyPriority) {
    // Running fetches come before queued ones, whatever their positions.
    for (const running of [true, false]) {
      const positions = moved(await context.fetches.sequence(priority, running), ids, where);
      if (positions.length > 0) await context.fetches.setPositions(positions);
      changed += positions.filter(({ id }) => ids.has(id)).length;
    }
  }
  return changed;
}
