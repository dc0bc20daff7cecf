import type { Announcer } from './announce-fetches.ts';
import type { BlockedFetches } from './unblock-fetches.ts';
import type { FetchSettings } from '../../contract/fetches.ts';
import type { FetchEngine } from '../engine/types.ts';
import type { KnownServer } from './fetch-servers.ts';
import type { LiveFetch } from './live-fetch.ts';
import type { QueueDeps } from './queue-deps.ts';
import type { Serial } from './serial.ts';
import type { ServerBackoff } from './server-backoff.ts';
import type { RetryTimers } from './retry-timers.ts';

type SharedDeps = Pick<
  QueueDeps,
  'fetches' | 'journal' | 'servers' | 'clock' | 'log' | 'random' | 'diskSpace' | 'lock'
>;

/** What the parts of the queue work on together. */
export interface QueueContext extends SharedDeps {
  readonly files: QueueDeps['fetchFiles'];
  /** The engine, started when it is asked for the first time. */
  readonly engine: () => FetchEngine;
  readonly live: Map<number, LiveFetch>;
  /** Notes how many bytes a run has received that is over. */
  readonly received: (bytes: number) => void;
  readonly retryTimers: RetryTimers;
  readonly backoffs: ServerBackoff;
  readonly blocked: BlockedFetches;
  readonly announce: Announcer;
  readonly serial: Serial;
  readonly settings: () => FetchSettings;
  readonly known: () => readonly KnownServer[];
  readonly stopping: () => boolean;
  /** Starts what may start, when everything before is done. */
  readonly wake: () => void;
}

/** Bytes that fetches which run now will still write to a disk, but for one. */
export function reservedBytes(live: ReadonlyMap<number, LiveFetch>, disk: string, except: number | null): number {
  return [...live.values()]
    .filter((one) => one.disk === disk && one.row.id !== except && !one.verifying)
    .reduce((sum, one) => sum + one.bytesToReceive, 0);
}
