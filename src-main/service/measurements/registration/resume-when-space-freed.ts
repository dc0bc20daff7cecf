import { statfs } from 'node:fs/promises';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { parametersOf } from '../../jobs/job-work.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { JobStores } from '../../jobs/stores.ts';

const checkEveryMs = 10_000;

/** Resumes registrations that paused because the library's disk was full. @returns their number. */
export async function resumeWhenSpaceFreed(
  services: JobStores & { readonly paths: DataPaths; readonly diskSpace: DiskSpaceMonitor },
  runner: JobRunner,
): Promise<number> {
  const waiting = (await services.jobs.inState('paused')).filter((job) => needOf(parametersOf(job)) !== null);
  if (waiting.length === 0) return 0;
  await services.diskSpace.check();
  if (services.diskSpace.low) return 0;
  const { bavail, bsize } = await statfs(services.paths.library);
  let left = bavail * bsize - services.diskSpace.minFreeBytes;
  let resumed = 0;
  for (const job of waiting) {
    const need = needOf(parametersOf(job)) ?? 0;
    // A job with an unknown need still requires some space above the minimum.
    if (left < Math.max(need, services.diskSpace.minFreeBytes / 10)) continue;
    left -= need;
    await runner.act(job, 'resume');
    resumed += 1;
  }
  return resumed;
}

function needOf(parameters: unknown): number | null {
  const need =
    typeof parameters === 'object' && parameters !== null && 'needs_room' in parameters ? parameters.needs_room : null;
  return typeof need === 'number' ? need : null;
}

/** Checks periodically. @returns a function that stops the checks. */
export function startResumingWhenSpaceFreed(
  services: JobStores & { readonly paths: DataPaths; readonly log: Logger; readonly diskSpace: DiskSpaceMonitor },
  runner: JobRunner,
): () => void {
  const timer = setInterval(() => {
    void resumeWhenSpaceFreed(services, runner).catch((error: unknown) =>
      services.log.warn({ err: error }, 'work that waited for disk space could not be resumed'),
    );
  }, checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
