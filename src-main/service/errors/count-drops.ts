import type { Logger } from 'pino';
import type { IngestCount, IngestCountsStore } from './ingest-counts-store.ts';

const hour = 3600_000;
const writeEvery = 1000;
// Names of item types come from senders.
const mostOutcomes = 50;

export interface DropCounts {
  add(projectId: number, outcome: string, count?: number): void;
  /** Writes what is counted so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Counts what is not stored in memory and writes it once a second, so that a flood that is refused costs no writes. */
export function countDrops(store: IngestCountsStore, log: Logger): DropCounts {
  let counts = new Map<string, IngestCount>();
  const flush = async (): Promise<void> => {
    if (counts.size === 0) return;
    const written = [...counts.values()];
    counts = new Map();
    await store.add(written);
  };
  const timer = setInterval(() => void flush().catch((error: unknown) => log.warn({ err: error }, 'counts of dropped events not written')), writeEvery);
  timer.unref();
  return {
    add: (projectId, outcome, count = 1) => {
      const thisHour = Math.floor(Date.now() / hour);
      const name = counts.size > mostOutcomes && outcome.startsWith('item:') ? 'item:other' : outcome;
      const key = `${projectId} ${thisHour} ${name}`;
      counts.set(key, { projectId, hour: thisHour, outcome: name, count: (counts.get(key)?.count ?? 0) + count });
    },
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
