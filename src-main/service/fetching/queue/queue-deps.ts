import type { Logger } from 'pino';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { Events } from '../../common/events.ts';
import type { Clock } from './clock.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import type { FetchEngine, Journal } from '../engine/types.ts';
import type { FetchFilesStore } from '../store/fetch-files-store.ts';
import type { FetchServers } from './fetch-servers.ts';
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
