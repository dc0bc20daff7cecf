import { untroubled } from './after-run.ts';
import type { QueueContext } from './queue-context.ts';
import { startOne } from './start-next.ts';

/**
 * Restores the queue after a restart: waiting fetches keep waiting, verifications are dropped, and
 * running fetches resume.
 *
 * @param isOpen whether the schedule allows fetches.
 */
export async function restoreQueue(context: QueueContext, isOpen: boolean): Promise<void> {
  const { fetches, retryTimers, clock, live, settings } = context;
  for (const row of await fetches.inState('waiting'))
    retryTimers.restore(row.id, clock.steady(), clock.now(), row.retry_at);
  const before = await fetches.inState('running');
  await fetches.apply(await fetches.ids('all', ['verifying']), 'stop', clock.now());
  for (const row of before.filter((one) => one.ended_at === null)) {
    await fetches.apply([row.id], 'stop', clock.now(), untroubled);
    // Interrupted fetches resume before others start.
    if (isOpen && live.size < settings().at_most) await startOne(context, row);
  }
}
