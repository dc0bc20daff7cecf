import type { Logger } from 'pino';
import type { Announcer } from './announce-fetches.ts';
import type { AskAgain } from './ask-again.ts';
import type { Clock } from './clock.ts';
import type { FetchSettings } from '../contract/fetches.ts';
import type { DiskRoom } from './disk-room.ts';
import type { FetchEngine, Journal } from './engine/types.ts';
import type { FetchFilesStore } from './fetch-files-store.ts';
import type { lockFolder } from './folder-lock.ts';
import type { FetchServers, KnownServer } from './fetch-servers.ts';
import type { FetchesStore } from './fetches-store.ts';
import type { LiveFetch } from './live-fetch.ts';
import type { Serial } from './serial.ts';
import type { ServerHolds } from './server-holds.ts';
import type { Waits } from './waits.ts';

/** What the parts of the queue work on together. */
export interface QueueParts {
  readonly fetches: FetchesStore;
  readonly files: FetchFilesStore;
  readonly journal: Journal;
  readonly servers: FetchServers;
  readonly clock: Clock;
  readonly log: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly room: (target: string) => Promise<DiskRoom | null>;
  /** See {@link lockFolder}. */
  readonly lock: typeof lockFolder;
  /** The engine, started when it is asked for the first time. */
  readonly engine: () => FetchEngine;
  readonly live: Map<number, LiveFetch>;
  readonly waits: Waits;
  readonly holds: ServerHolds;
  readonly askAgain: AskAgain;
  readonly announce: Announcer;
  readonly serial: Serial;
  readonly settings: () => FetchSettings;
  readonly known: () => readonly KnownServer[];
  readonly stopping: () => boolean;
  /** Starts what may start, when everything before is done. */
  readonly wake: () => void;
}

/** Bytes that fetches which run now will still write to a disk, but for one. */
export function promised(live: ReadonlyMap<number, LiveFetch>, disk: string, except: number | null): number {
  return [...live.values()].filter((one) => one.disk === disk && one.row.id !== except && !one.verifying).reduce((sum, one) => sum + one.toCome, 0);
}
