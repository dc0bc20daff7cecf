import type { FetchRow } from '../store/fetch-row.ts';
import { unverifiable, type FetchChange } from './after-run.ts';
import type { QueueContext } from './queue-context.ts';
import { runFetch } from './run-fetch.ts';
import { storeChange } from './store-change.ts';

// A fetch that cannot start costs a few system calls; the event loop runs between batches.
const batchSize = 50;

/**
 * Starts the first fetches of the queue, up to the maximum number of running ones.
 *
 * @param isOpen whether the schedule allows more than verifications.
 */
export async function startNext(context: QueueContext, isOpen: boolean): Promise<void> {
  const { live, backoffs, clock, fetches, settings, stopping, wake } = context;
  const free = settings().at_most - live.size;
  if (free <= 0) return;
  const targets = [...live.values()].map(({ row }) => row.target);
  const next = await fetches.next(batchSize, { baseUrls: backoffs.held(clock.steady()), targets, verifyOnly: !isOpen });
  for (const row of next) {
    if (stopping() || live.size >= settings().at_most) return;
    // Two fetches in one folder would write to the same files.
    if ([...live.values()].some((one) => one.row.target === row.target)) continue;
    await startOne(context, row);
  }
  // None of these could start; later ones may.
  if (next.length === batchSize && live.size < settings().at_most) wake();
}

/** Starts a fetch; an unexpected error marks it as failed, but not a fetch that was to be verified. */
export async function startOne(context: QueueContext, row: FetchRow): Promise<void> {
  try {
    await runFetch(context, row);
  } catch (error) {
    context.log.error({ err: error }, 'a fetch could not be started');
    await storeChange(context, row, notStarted(row));
  }
}

function notStarted(row: FetchRow): FetchChange {
  const [reason, details] = ['unexpected', 'The log has the details.'] as const;
  return row.ended_at === null
    ? { event: 'fail', update: { reason, message: `It could not be started. ${details}` } }
    : { event: 'stop', update: unverifiable(row, reason, details) };
}
