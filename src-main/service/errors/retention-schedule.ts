import { freeBytes } from '../free-bytes.ts';
import type { Services } from '../services.ts';
import { removeHiddenProjects } from '../projects/remove-hidden-projects.ts';
import { retain } from './retention.ts';

type Needs = Pick<Services, 'retention' | 'retentionClock' | 'errorChanges' | 'hiddenProjects' | 'events' | 'log' | 'config'>;

const minutes = 60_000;
const every = 10 * minutes;

/** Removes what need not be kept any more, at the start and every ten minutes. @returns the function that stops it. */
export function retainOnSchedule(services: Needs): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const needs = { ...services, freeBytes: async () => freeBytes(services.config.dataDir), stopped: () => stopped };
  const begin = () => {
    running ??= removeHiddenProjects(needs)
      .then(async () => retain(needs, await services.retentionClock.now()))
      .catch((error: unknown) => services.log.warn({ err: error }, 'old errors not removed'))
      .finally(() => {
        running = null;
      });
  };
  begin();
  const timer = setInterval(begin, every);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
