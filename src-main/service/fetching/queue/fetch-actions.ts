import { endedFetchStates, fetchTransitions, type FetchStage } from '../../../../src-shared/states/fetch-states.ts';
import { statesBefore } from '../../../../src-shared/states/transitions.ts';
import type { FetchAction } from '../../contract/fetches.ts';
import { targetError } from '../../files/target-folder-error.ts';
import { keepBoth } from '../keep-both/keep-both.ts';
import { untroubled } from './after-run.ts';
import type { FetchUpdate } from '../store/fetch-row.ts';
import type { FetchIds } from '../store/fetches-store.ts';
import { resumeLive, stopLive, type LiveFetch } from './live-fetch.ts';
import { moved } from './move-fetches.ts';
import type { QueueContext } from './queue-context.ts';
import { discard } from './store-change.ts';

type Move = 'first' | 'earlier' | 'later' | 'last';

const pending: readonly FetchStage[] = ['queued', 'waiting', 'asking', 'paused'];
const everyPriority = [1, 0, -1];
const anew: FetchUpdate = { ...untroubled, attempts: 0 };

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
      return stopThose(context, of, 'pause');
    case 'resume':
      return resume(context, of);
    case 'cancel':
      return cancel(context, of);
    case 'retry':
      return context.serial.run(async () => retry(context, of));
    case 'keep-both':
      return context.serial.run(async () => keepBothOf(context, of));
    case 'remove':
      return remove(context, of);
    case 'clear':
      return context.serial.run(async () => clear(context, of));
    case 'verify':
      return context.serial.run(async () =>
        context.fetches.apply(
          await context.fetches.ids(of, statesBefore(fetchTransitions, 'verify')),
          'verify',
          context.clock.now(),
        ),
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
 * Stops running fetches, changes the others, and waits until all have stopped. A queued
 * verification returns to its previous state.
 */
async function stopThose(context: QueueContext, of: FetchIds, event: 'pause' | 'cancel'): Promise<number> {
  const { running, changed } = await context.serial.run(async () => stopInTurn(context, of, event));
  await Promise.all(running.map(({ ended }) => ended));
  return changed;
}

async function stopInTurn(
  context: QueueContext,
  of: FetchIds,
  event: 'pause' | 'cancel',
): Promise<{ readonly running: readonly LiveFetch[]; readonly changed: number }> {
  const { fetches, clock } = context;
  const running = livesOf(context, of);
  const stopped = running.filter((live) => stopLive(live, { event, update: untroubled }));
  const others = await fetches.apply(await fetches.ids(of, pending), event, clock.now(), untroubled);
  const verifications = await fetches.apply(await fetches.ids(of, ['verify-queued']), event, clock.now());
  return { running, changed: stopped.length + others + verifications };
}

async function resume(context: QueueContext, of: FetchIds): Promise<number> {
  return context.serial.run(async () => {
    // The user wants a retry now, before the back-off ends.
    context.backoffs.clear();
    const stopping = livesOf(context, of).filter((live) => resumeLive(live));
    const ids = await context.fetches.ids(of, statesBefore(fetchTransitions, 'resume'));
    return stopping.length + (await context.fetches.apply(ids, 'resume', context.clock.now(), anew));
  });
}

async function cancel(context: QueueContext, of: FetchIds): Promise<number> {
  const begun = await context.serial.run(async () => context.fetches.begun(await context.fetches.ids(of, pending)));
  const changed = await stopThose(context, of, 'cancel');
  await context.serial.run(async () => discardEach(context, begun));
  return changed;
}

async function discardEach(context: QueueContext, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const row = await context.fetches.byId(id);
    // It may have been started again meanwhile.
    if (row && endedFetchStates.includes(row.state)) await discard(context, row);
  }
}

async function retry(context: QueueContext, of: FetchIds): Promise<number> {
  const ids = await context.fetches.ids(of, of === 'all' ? ['failed'] : statesBefore(fetchTransitions, 'retry'));
  const begun = await context.fetches.begun(ids);
  const restarted = new Set(await context.fetches.withReason(ids, ['manifest-changed', 'bad-manifest', 'bad-archive']));
  // The manifest is read again; files that are already correct are kept.
  for (const id of restarted) await context.files.clear(id);
  await context.files.retryFailed(begun.filter((id) => !restarted.has(id)));
  return context.fetches.apply(ids, 'retry', context.clock.now(), anew);
}

/** One whose disk fails keeps its state, and does not keep the others from going on. */
async function keepBothOf(context: QueueContext, of: FetchIds): Promise<number> {
  const stopped = await context.fetches.ids(of, statesBefore(fetchTransitions, 'keep-both'));
  let changed = 0;
  for (const id of await context.fetches.withReason(stopped, ['name-taken'])) {
    const row = await context.fetches.byId(id);
    try {
      if (row === null || context.live.has(id) || !(await keepBoth(context, row))) continue;
      changed += await context.fetches.apply([id], 'keep-both', context.clock.now(), anew);
    } catch (error) {
      context.log.warn({ err: error, fetch: id }, 'no other name could be given');
      await context.journal.log(id, 'warn', targetError(error, row?.target ?? '').message);
    }
  }
  return changed;
}

async function remove(context: QueueContext, of: FetchIds): Promise<number> {
  const { fetches, files, serial } = context;
  if (of === 'all') {
    return serial.run(async () => {
      const ids = await fetches.ids('all', endedFetchStates);
      await discardEach(context, await fetches.begun(await fetches.ids('all', ['failed'])));
      await files.remove(ids);
      return ids.length;
    });
  }
  await stopThose(context, of, 'cancel');
  return serial.run(async () => {
    await discardEach(context, await fetches.begun(await fetches.ids(of, ['failed', 'cancelled'])));
    const ids = (await fetches.ids(of, endedFetchStates)).filter((id) => !context.live.has(id));
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
