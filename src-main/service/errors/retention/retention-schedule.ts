import { freeBytes } from '../../common/free-bytes.ts';
import { removeHiddenProjects } from '../../projects/remove-hidden-projects.ts';
import { isNearlyFull, retain } from './retention.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { RetentionClock } from '../../database/retention-clock.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'hiddenProjects'> &
  Pick<ErrorStores, 'errorChanges' | 'retention'> &
  Pick<ServiceContext, 'events' | 'log'> & {
    readonly config: ServiceConfig;
    readonly retentionClock: RetentionClock;
  };

const minutes = 60_000;
const every = 10 * minutes;

/**
 * Runs retention at the start, every ten minutes, and every minute while the disk is nearly full.
 *
 * @returns a function that stops it.
 */
export function retainOnSchedule(services: Deps): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const deps = { ...services, freeBytes: async () => freeBytes(services.config.dataDir), stopped: () => stopped };
  const begin = () => {
    running ??= removeHiddenProjects(deps)
      .then(async () => retain(deps, await services.retentionClock.now()))
      .catch((error: unknown) => services.log.warn({ err: error }, 'old errors not removed'))
      .finally(() => {
        running = null;
      });
  };
  begin();
  const beginWhenFull = () =>
    void isNearlyFull(deps).then(
      (full) => full && begin(),
      () => {},
    );
  const timers = [setInterval(begin, every), setInterval(beginWhenFull, minutes)];
  return async () => {
    stopped = true;
    for (const timer of timers) clearInterval(timer);
    await running;
  };
}
