import pino from 'pino';
import { setTimeout } from 'node:timers/promises';
import { Events } from '../../../src-main/service/common/events.ts';
import { repeatedly } from '../../../src-main/service/common/repeatedly.ts';
import { whileLeading } from '../../../src-main/service/database/cluster/while-leading.ts';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import { jobRunner, type JobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { jobStores } from '../../../src-main/service/jobs/stores.ts';
import type { Work } from '../../../src-main/service/jobs/job-work.ts';
import type { JobsStore } from '../../../src-main/service/jobs/jobs-store.ts';
import { Counters } from '../../../src-main/service/metrics/counters.ts';

export interface RunnerOfTest {
  readonly runner: JobRunner;
  readonly jobs: JobsStore;
  readonly replicaId: number;
  /** Jobs whose leftovers it removed. */
  readonly discarded: number[];
  close(): Promise<void>;
}

interface Parameters {
  /** How long the work takes; for ever when left out. */
  readonly ms?: number;
}

/** A replica that does nothing but run jobs. */
export async function openRunner(url: string, name: string): Promise<RunnerOfTest> {
  const opened = await openPostgres(
    { url, listenUrl: null, connections: 4 },
    { name, version: '1', serves: true },
    () => {},
  );
  const { cluster } = opened.context;
  const discarded: number[] = [];
  const work = (resumable: boolean): Work<unknown> => ({
    resumable,
    restarted: null,
    discard: async (_, job) => void discarded.push(job.id),
    run: async (_, context) => {
      const { job, signal } = context;
      const { ms = 3600_000 } = JSON.parse(job.parameters) as Parameters;
      context.report({ filesDone: job.files_done + 1 });
      await setTimeout(ms, null, { signal }).catch(() => signal.throwIfAborted());
      await context.gate();
      return { message: null, result: name };
    },
  });
  const [resumes, waits] = [work(true), work(false)];
  const { jobs } = jobStores(opened.context);
  const runner = jobRunner(
    {
      jobs,
      cluster,
      events: new Events(),
      log: pino({ level: 'silent' }),
      counters: new Counters(),
      ownErrors: { report: () => {} } as never,
    },
    { register: resumes, verify: resumes, export: waits, stage: waits, backup: waits, restore: waits },
  );
  await runner.recover();
  const endUpkeep = whileLeading(cluster, () =>
    repeatedly(
      500,
      async () => runner.recoverOfDeadReplicas(),
      () => {},
    ),
  );
  return {
    runner,
    jobs,
    replicaId: cluster.replica()?.id ?? 0,
    discarded,
    close: async () => {
      await runner.stop();
      await endUpkeep();
      await opened.close();
    },
  };
}
