import { offers } from '../../../../src-shared/states/transitions.ts';
import { jobTransitions } from '../../../../src-shared/states/job-states.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { JobStores } from '../../jobs/stores.ts';

export type CancelDeps = JobStores & { readonly jobRunner: Pick<JobRunner, 'act'> };

/** Cancels what registers a run, as far as it has not ended. */
export async function cancelRegistration({ jobs, jobRunner }: CancelDeps, measurementId: string): Promise<void> {
  for (const job of await jobs.ofMeasurement(measurementId))
    if (job.kind === 'register' && offers(jobTransitions, job.state, 'cancel')) await jobRunner.act(job, 'cancel');
}
