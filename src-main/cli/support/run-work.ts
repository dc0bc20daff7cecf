import type { JobStores } from '../../service/jobs/stores.ts';
import { JobFailed, JobMustPause, type Work } from '../../service/jobs/job-work.ts';
import { thisProcess } from '../../service/jobs/job-process.ts';
import type { JobRow, NewJob } from '../../service/jobs/jobs-store.ts';
import { startJob, type RunJobDeps } from '../../service/jobs/run-job.ts';
import { progressBar } from './progress-bar.ts';
import { CommandError, type Terminal } from './terminal.ts';

const pollEveryMs = 300;

/**
 * Runs a job in this process, with a progress bar on a terminal; Ctrl-C cancels it. If a service on
 * the same data directory takes the job first, this waits for its end.
 * @returns the job as it ended.
 * @throws CommandError that says why it did not finish.
 */
export async function runWork<Deps extends RunJobDeps>(
  terminal: Terminal,
  services: Deps,
  job: NewJob,
  work: Work<Deps>,
): Promise<JobRow> {
  const row = await services.jobs.create(job);
  const started = await services.jobs.start(row.id, thisProcess(), services.cluster.leaseHolder()?.id);
  if (started) await runHere(terminal, services, started, withoutPauses(work));
  const ended = await waitFor(services, row.id);
  if (ended.state === 'done') return ended;
  throw new CommandError(
    ended.state === 'cancelled' ? 'Cancelled; nothing was kept.' : (ended.message ?? 'It failed. Start it again.'),
  );
}

async function runHere<Deps extends RunJobDeps>(
  terminal: Terminal,
  services: Deps,
  row: JobRow,
  work: Work<Deps>,
): Promise<void> {
  const bar = progressBar(terminal);
  const live = startJob(services, row, work, (changed) => bar.update(changed));
  const cancel = () => live.stop('cancel');
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  await live.ended.finally(() => {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
    bar.clear();
  });
}

/**
 * A job paused by a command would never be resumed, so it fails: the message says what to do, and
 * the id becomes free.
 */
function withoutPauses<Deps>(work: Work<Deps>): Work<Deps> {
  return {
    ...work,
    run: async (services, context) => {
      try {
        return await work.run(services, context);
      } catch (error) {
        throw error instanceof JobMustPause ? new JobFailed(error.message, { cause: error }) : error;
      }
    },
  };
}

async function waitFor(services: JobStores, id: number): Promise<JobRow> {
  for (;;) {
    const row = await services.jobs.byId(id);
    if (!row) throw new CommandError('The measurement was removed in the meantime.');
    if (row.ended_at !== null || row.state === 'paused') return row;
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
}
