import type { Logger } from 'pino';
import { setTimeout } from 'node:timers/promises';
import type { RetentionClock } from './retention-clock.ts';

export interface PurgeStore {
  /**
   * Removes a small batch of expired rows, in a transaction too short to hold up other writers.
   *
   * @returns whether there may be more.
   */
  purgeSome(now: number): Promise<boolean>;
}

const hour = 3600_000;
// Each step waits for the disk; requests are served between two steps.
const pauseMs = 20;

/** Removes expired rows in small steps between which requests are served. */
async function purge(store: PurgeStore, clock: Pick<RetentionClock, 'now'>): Promise<void> {
  const now = await clock.now();
  while (await store.purgeSome(now)) await setTimeout(pauseMs);
}

/**
 * Removes expired rows now and then regularly.
 *
 * @param clock the time for their age.
 * @returns a function that stops it.
 */
export function purgeOnSchedule(
  store: PurgeStore,
  clock: Pick<RetentionClock, 'now'>,
  log: Logger,
  everyMs = hour,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const steps: PurgeStore = { purgeSome: async (now) => !stopped && store.purgeSome(now) };
  let busy = false;
  const begin = () => {
    if (busy) return;
    busy = true;
    running = purge(steps, clock)
      .catch((error: unknown) => log.warn({ err: error }, 'expired rows were not removed'))
      .finally(() => {
        busy = false;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
