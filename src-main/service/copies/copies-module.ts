import { systemClock } from '../fetching/queue/clock.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { ServiceConfig } from '../config/config.ts';
import { measurementAccess } from '../measurements/access/access.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import { registerCopyRoutes } from './copy-routes.ts';
import { CopyQueue, type CopyQueueDeps } from './queue/copy-queue.ts';
import type { CopyStores } from './store/stores.ts';

type Deps = Omit<CopyQueueDeps, 'clock' | 'random'> &
  CopyStores &
  MeasurementStores &
  Pick<ProjectStores, 'projects'> & { readonly auth: Authentication; readonly config: ServiceConfig };

/**
 * Registers the copies on other servers and the queue that sends them, which goes on where the
 * previous run of the service stopped. A facility receives copies and sends none.
 */
export function registerCopies(app: App, deps: Deps): void {
  const copyQueue = new CopyQueue({ ...deps, clock: systemClock, random: Math.random });
  registerCopyRoutes(app, { ...deps, access: measurementAccess(deps), copyQueue });
  if (deps.config.database) return;
  app.addHook('onReady', async () => copyQueue.start());
  // On `preClose`, before open requests end, so that pending writes have the full shutdown time.
  app.addHook('preClose', async () => copyQueue.stop());
}
