import type { FetchChange } from './after-run.ts';
import type { Announcer } from './announce-fetches.ts';
import type { BlockedFetches } from './unblock-fetches.ts';
import type { FetchSettings } from '../../contract/fetch-settings.ts';
import type { KnownServer } from './fetch-servers.ts';
import type { LiveFetch } from './live-fetch.ts';
import type { Serial } from '../../common/serial.ts';
import type { ServerBackoff } from './server-backoff.ts';
import type { RetryTimers } from './retry-timers.ts';
import type { Logger } from 'pino';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { Events } from '../../common/events.ts';
import type { Clock } from './clock.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import type { FetchEngine, Journal } from '../engine/types.ts';
import type { FetchFilesStore } from '../store/fetch-files-store.ts';
import type { FetchServers } from './fetch-servers.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchesStore } from '../store/fetches-store.ts';
import type { lockFolder } from '../disk/folder-lock.ts';

/** The dependencies of the queue. */
export interface QueueDeps {
  readonly fetches: FetchesStore;
  readonly fetchFiles: FetchFilesStore;
  readonly journal: Journal;
  readonly servers: FetchServers;
  readonly settings: SettingsStore;
  readonly events: Events;
  readonly log: Logger;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly diskSpace: (target: string) => Promise<DiskSpace | null>;
  /** See {@link lockFolder}. */
  readonly lock: typeof lockFolder;
  /** Called for the first fetch; until then there is no engine. */
  readonly startEngine: () => FetchEngine;
}

type SharedDeps = Pick<
  QueueDeps,
  'fetches' | 'journal' | 'servers' | 'clock' | 'log' | 'random' | 'diskSpace' | 'lock'
>;

/** The state shared by the parts of the queue. */
export interface QueueContext extends SharedDeps {
  readonly files: QueueDeps['fetchFiles'];
  /** Returns the engine and starts it on first use. */
  readonly engine: () => FetchEngine;
  readonly live: Map<number, LiveFetch>;
  /** Adds the bytes of a finished run to the total. */
  readonly received: (bytes: number) => void;
  /** Ends of runs that could not be stored yet. */
  readonly unstored: Map<number, { readonly row: FetchRow; readonly change: FetchChange }>;
  readonly retryTimers: RetryTimers;
  readonly backoffs: ServerBackoff;
  readonly blocked: BlockedFetches;
  readonly announce: Announcer;
  readonly serial: Serial;
  readonly settings: () => FetchSettings;
  readonly known: () => readonly KnownServer[];
  readonly stopping: () => boolean;
  /** Schedules a pass that starts the next fetches, after all queued work. */
  readonly wake: () => void;
}

/** Bytes that running fetches, except one, will still write to a disk. */
export function reservedBytes(live: ReadonlyMap<number, LiveFetch>, disk: string, except: number | null): number {
  return [...live.values()]
    .filter((one) => one.disk === disk && one.row.id !== except && !one.verifying)
    .reduce((sum, one) => sum + one.bytesToReceive, 0);
}
