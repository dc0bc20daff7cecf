import { systemClock } from '../fetching/queue/clock.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { ServiceConfig } from '../config/config.ts';
import { measurementAccess } from '../measurements/access/access.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { JobStores } from '../jobs/stores.ts';
import { registerRestoring } from './restoring/restore-route.ts';
import { restoreDegraded } from './restoring/restore-degraded.ts';
import { registerCopyRoutes } from './copy-routes.ts';
import { CopyQueue, type CopyQueueDeps } from './queue/copy-queue.ts';
import type { CopyStores } from './store/stores.ts';

type Deps = Omit<CopyQueueDeps, 'clock' | 'random'> &
  CopyStores &
  JobStores &
  MeasurementStores &
  Pick<ProjectStores, 'projects'> & {
    readonly auth: Authentication;
    readonly config: ServiceConfig;
    readonly jobRunner: JobRunner;
  };

/**
 * Registers the copies on other servers and the queue that sends them, which goes on where the
 * previous run of the service stopped. A facility receives copies and sends none.
 */
export function registerCopies(app: App, deps: Deps): void {
  const copyQueue = new CopyQueue({ ...deps, clock: systemClock, random: Math.random });
  registerCopyRoutes(app, { ...deps, access: measurementAccess(deps), copyQueue });
  registerRestoring(app, deps);
  if (deps.config.database) return;
  app.addHook('onReady', async () => copyQueue.start());
  // On `preClose`, before open requests end, so that pending writes have the full shutdown time.
  const endRestoring = restoreDegraded(deps);
  app.addHook('preClose', async () => {
    endRestoring();
    await copyQueue.stop();
  });
}
