import Database from 'better-sqlite3';
import pino from 'pino';
import { afterEach, beforeEach } from 'vitest';
import { Events } from '../../../src-main/service/common/events.ts';
import { singleProcess } from '../../../src-main/service/database/cluster/cluster.ts';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { jobRunner, type JobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { JobFailed, JobMustPause, type Work } from '../../../src-main/service/jobs/job-work.ts';
import { jobsStore, type JobsStore, type NewJob } from '../../../src-main/service/jobs/jobs-store.ts';
import { Counters } from '../../../src-main/service/metrics/counters.ts';

export const resumable: NewJob = { kind: 'verify', measurementId: 'run', userId: null, parameters: {} };

/** Work that does what a test says next; each kind has one that resumes or one that waits. */
class Bench {
  readonly discarded: number[] = [];
  readonly open = new Map<number, { end(how: 'succeed' | 'fail' | 'must-pause'): void }>();

  work(isResumable: boolean): Work<unknown> {
    return {
      resumable: isResumable,
      restarted: async (_, { kind, measurement_id: measurementId }) => ({
        kind,
        measurementId,
        userId: null,
        parameters: {},
      }),
      discard: async (_, { id }) => void this.discarded.push(id),
      run: async (_, context) => {
        const { job, signal } = context;
        try {
          await new Promise<void>((resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
            this.open.set(job.id, {
              end: (how) => {
                if (how === 'succeed') resolve();
                else reject(how === 'fail' ? new JobFailed('failed') : new JobMustPause('no room'));
              },
            });
          });
          await context.gate();
          return { message: null, result: null };
        } finally {
          this.open.delete(job.id);
        }
      },
    };
  }
}

export interface Life {
  readonly runner: JobRunner;
  readonly bench: Bench;
  /** Ends it as a kill does: nothing that it does later reaches the database. */
  kill(): void;
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise(setImmediate);
}

/** A database with jobs for each test. */
export function useJobs() {
  const scene = {} as { database: Database.Database; jobs: JobsStore };

  beforeEach(() => {
    scene.database = new Database(':memory:');
    migrate(scene.database, migrations, '');
    scene.database.exec(`CREATE TEMP TABLE moves (id, before, after);
    CREATE TEMP TRIGGER moved AFTER UPDATE OF state ON jobs WHEN old.state <> new.state
      BEGIN INSERT INTO moves VALUES (old.id, old.state, new.state); END`);
    scene.jobs = jobsStore(storeContext(scene.database).database);
  });
  afterEach(() => scene.database.close());

  function newLife(): Life {
    const bench = new Bench();
    let killed = false;
    const hang = new Promise<never>(() => {});
    const mortal = Object.fromEntries(
      Object.entries(scene.jobs).map(([name, method]: [string, (...values: never[]) => Promise<unknown>]) => [
        name,
        async (...values: never[]) => (killed ? hang : method(...values)),
      ]),
    ) as unknown as JobsStore;
    const [waits, resumes] = [bench.work(false), bench.work(true)];
    const runner = jobRunner(
      {
        jobs: mortal,
        cluster: singleProcess,
        events: new Events(),
        log: pino({ level: 'silent' }),
        counters: new Counters(),
        ownErrors: { report: () => {} } as never,
      },
      { register: resumes, verify: resumes, export: waits, stage: waits, backup: waits, restore: waits },
    );
    return { runner, bench, kill: () => (killed = true) };
  }

  return Object.assign(scene, { newLife });
}
