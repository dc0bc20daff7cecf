import type { Logger } from 'pino';
import type { IngestCount, IngestCountsStore } from './ingest-counts-store.ts';

const hour = 3600_000;
const writeEveryMs = 1000;
/** Senders choose the names of item types, and each name takes a row per hour. */
const maxItemTypes = 50;

// Item types of develop.sentry.dev, "Envelope Items".
const defaultItems = (
  'transaction attachment client_report user_report feedback check_in profile profile_chunk replay_event replay_recording replay_video ' +
  'log otel_log span statsd metric_meta metric_buckets trace_metric raw_security nel unreal_report other'
)
  .split(' ')
  .map((type) => `item:${type}`);

export interface DropCounts {
  add(projectId: number, outcome: string, count?: number): void;
  /** Writes the counts collected so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Counts items that are not stored in memory and writes the counts once a second, so that a flood
 * of refused requests costs no writes.
 */
export function countDrops(store: IngestCountsStore, log: Logger): DropCounts {
  let counts = new Map<string, IngestCount>();
  const itemTypes = new Set(defaultItems);
  const nameOf = (outcome: string): string => {
    if (!outcome.startsWith('item:') || itemTypes.has(outcome)) return outcome;
    if (itemTypes.size >= defaultItems.length + maxItemTypes) return 'item:other';
    itemTypes.add(outcome);
    return outcome;
  };
  const flush = async (): Promise<void> => {
    if (counts.size === 0) return;
    const written = [...counts.values()];
    counts = new Map();
    await store.add(written);
  };
  const timer = setInterval(
    () => void flush().catch((error: unknown) => log.warn({ err: error }, 'counts of dropped events not written')),
    writeEveryMs,
  );
  timer.unref();
  return {
    add: (projectId, outcome, count = 1) => {
      const thisHour = Math.floor(Date.now() / hour);
      const name = nameOf(outcome);
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
