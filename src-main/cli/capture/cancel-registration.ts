import type { ActOnRunsDeps } from '../../service/capture/rules/act-on-runs.ts';
import { runsElsewhere } from '../../service/jobs/job-process.ts';
import { registerWork } from '../../service/measurements/registration/registration-run.ts';
import type { Services } from '../../service/services.ts';

/** Cancels registrations at the data directory; a process that runs one notices within a second and cleans up. */
export function registrationCanceller(services: Services): ActOnRunsDeps['jobRunner'] {
  return {
    act: async (job, action) => {
      const isChanged = await services.jobs.act(job.id, action, 'Cancelled');
      const now = (await services.jobs.byId(job.id)) ?? job;
      // A job that waits keeps the process that ran it before, which does nothing for it.
      const isRunning = runsElsewhere(now, null) && (job.state === 'running' || !runsElsewhere(job, null));
      if (isChanged && !isRunning) await registerWork.discard(services, job);
      return now;
    },
  };
}
