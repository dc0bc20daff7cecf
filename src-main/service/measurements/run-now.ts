import type { JobEnd, JobProgress, NewJob } from '../jobs/jobs-store.ts';
import { thisProcess } from '../jobs/job-process.ts';
import { startJob } from '../jobs/run-job.ts';
import type { Services } from '../services.ts';
import { works } from './registration-module.ts';

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

/**
 * Does a job here and now, without a service: for the command line. A service that runs on the same data directory shows it and may cancel it;
 * when this process dies, the next start of a service goes on with it.
 */
export async function runNow(services: Services, job: NewJob, options: RunOptions = {}): Promise<JobEnd> {
  const row = await services.jobs.create({ ...job, parameters: { ...job.parameters, process: thisProcess() } });
  await services.jobs.start(row.id);
  const live = await startJob(services, { ...row, state: 'running' }, works[job.kind], ({ progress }) => options.onProgress?.(progress));
  const cancel = () => live.stop('cancel');
  if (options.signal?.aborted) cancel();
  options.signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await live.ended;
  } finally {
    options.signal?.removeEventListener('abort', cancel);
  }
}
