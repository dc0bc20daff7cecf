import { untroubled } from './after-run.ts';
import type { DownloadTotals } from './download-totals.ts';
import { isOpen } from './fetch-hours.ts';
import { stopLive } from './live-fetch.ts';
import type { QueueContext } from './queue-context.ts';
import type { QueueTick } from './queue-tick.ts';
import { startNext } from './start-next.ts';
import { storeKept } from './store-change.ts';
import type { Ticker } from './ticker.ts';

/** One pass over the queue: stores what could not be stored, requeues what is due, stops what may not run, and starts the next. */
export async function queuePass(
  context: QueueContext,
  { tick, ticker, totals }: { readonly tick: QueueTick; readonly ticker: Ticker; readonly totals: DownloadTotals },
): Promise<void> {
  const { live, clock, fetches, retryTimers, settings } = context;
  await storeKept(context);
  const due = retryTimers.due(clock.steady());
  await fetches.apply(due, 'due', clock.now(), untroubled);
  retryTimers.remove(due);
  tick.wasOpen = isOpen(settings().schedule, clock.now());
  const running = [...live.values()].filter(({ stopAs }) => stopAs === null);
  const closing = tick.wasOpen ? [] : running.filter(({ verifying }) => !verifying);
  // The last to start are the first to stop.
  const tooMany = running
    .toSorted((a, b) => b.row.priority - a.row.priority || a.row.position - b.row.position)
    .slice(settings().at_most);
  for (const one of new Set([...closing, ...tooMany])) stopLive(one, { event: 'stop', update: untroubled });
  await startNext(context, tick.wasOpen);
  const idle = live.size === 0 && !(await fetches.some('queued', 'waiting', 'asking'));
  ticker.set(live.size > 0 ? 'fast' : idle ? 'still' : 'slow');
  // The end of all downloads is announced once.
  if (live.size === 0) totals.setLeft({ bytes: 0, unsized: 0 });
}
