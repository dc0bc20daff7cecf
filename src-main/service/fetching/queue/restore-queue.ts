import { queuedAgain } from './after-run.ts';
import type { QueueContext } from './queue-context.ts';
import { startOne } from './start-next.ts';

/**
 * Takes up the queue where the service ended: what waited waits on, what was read once more is not read on, and what ran goes on.
 *
 * @param isOpen whether the schedule lets fetches run.
 */
export async function restoreQueue(context: QueueContext, isOpen: boolean): Promise<void> {
  const { fetches, retryTimers, clock, live, settings } = context;
  for (const row of await fetches.inState('waiting'))
    retryTimers.restore(row.id, clock.steady(), clock.now(), row.retry_at);
  const before = await fetches.inState('running');
  await fetches.unverify(before.filter((row) => row.ended_at !== null).map(({ id }) => id));
  for (const row of before.filter((one) => one.ended_at === null)) {
    await fetches.update(row.id, queuedAgain);
    // What ran goes on before anything else begins.
    if (isOpen && live.size < settings().at_most) await startOne(context, row);
  }
}
