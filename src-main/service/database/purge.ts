import type { Logger } from 'pino';
import { setTimeout } from 'node:timers/promises';
import type { RetentionClock } from './retention-clock.ts';

export interface PurgeStore {
  /** Removes a small part of what has ended, in a transaction that other writers hardly notice. @returns whether there may be more. */
  purgeSome(now: number): Promise<boolean>;
}

const hour = 3600_000;
// Each step waits for the disk; requests are served between two of them.
const pauseMs = 20;

/** Removes what has ended, in small steps between which requests come in. */
async function purge(store: PurgeStore, clock: Pick<RetentionClock, 'now'>): Promise<void> {
  const now = await clock.now();
  while (await store.purgeSome(now)) await setTimeout(pauseMs);
}

/**
 * Removes what has ended, at once and then from time to time.
 *
 * @param clock of which ages are reckoned.
 * @returns the function that stops it.
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
