import { stat } from 'node:fs/promises';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { countRestarts, countRuns } from '../instrumentation/count-fetching.ts';
import { registerAddManyRoutes } from './add-many-routes.ts';
import { systemClock } from './queue/clock.ts';
import { readDiskSpace, type DiskSpace } from './disk/disk-space.ts';
import { startEngine } from './engine/worker/start-engine.ts';
import { FetchQueue } from './queue/fetch-queue.ts';
import { lockFolder } from './disk/folder-lock.ts';
import { registerFetchRoutes } from './fetch-routes.ts';
import { registerFetchSettingsRoutes } from './fetch-settings-routes.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { DiskSpaceMonitor } from '../database/disk-space.ts';
import type { Logger } from 'pino';
import type { Events } from '../common/events.ts';
import type { Counters } from '../metrics/counters.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { FetchStores } from './store/stores.ts';

/**
 * Registers the fetch routes and the queue, which resumes where the previous run of the service
 * stopped.
 */
export function registerFetching(
  app: App,
  services: ServerStores &
    FetchStores & {
      readonly config: ServiceConfig;
      readonly log: Logger;
      readonly events: Events;
      readonly counters: Counters;
      readonly diskSpace: DiskSpaceMonitor;
      readonly settings: SettingsStore;
      readonly auth: Authentication;
    },
): void {
  const journal = countRestarts(services.fetchJournal, services.counters);
  const queue = new FetchQueue({
    ...services,
    journal,
    clock: systemClock,
    random: Math.random,
    lock: lockFolder,
    diskSpace: async (target) => withoutReserve(await readDiskSpace(target), services),
    startEngine: () => countRuns(startEngine(journal, services.log, { inBackground: true }), services.counters),
  });
  registerFetchRoutes(app, { ...services, fetchQueue: queue });
  registerAddManyRoutes(app, { ...services, fetchQueue: queue });
  registerFetchSettingsRoutes(app, { ...services, fetchQueue: queue });
  app.addHook('onReady', async () => queue.start());
  // On `preClose`, before open requests end, so that pending writes have the full shutdown time.
  app.addHook('preClose', async () => queue.stop());
}

/**
 * Subtracts the reserve on the data directory's disk; it is kept for revocation, sign-in and the
 * audit trail.
 */
async function withoutReserve(
  space: DiskSpace | null,
  { config, diskSpace: data }: { readonly config: ServiceConfig; readonly diskSpace: DiskSpaceMonitor },
): Promise<DiskSpace | null> {
  if (!space || space.disk !== String((await stat(config.dataDir)).dev)) return space;
  return { ...space, free: Math.max(0, space.free - data.minFreeBytes) };
}
