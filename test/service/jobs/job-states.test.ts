import Database from 'better-sqlite3';
import fc from 'fast-check';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jobStates, jobTransitions, type JobEvent, type JobState } from '../../../src-shared/states/job-states.ts';
import { ImpossibleEvent } from '../../../src-shared/states/transitions.ts';
import { Events } from '../../../src-main/service/common/events.ts';
import { singleProcess } from '../../../src-main/service/database/cluster/cluster.ts';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { thisProcess } from '../../../src-main/service/jobs/job-process.ts';
import { jobRunner, type JobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { JobFailed, JobMustPause, type Work } from '../../../src-main/service/jobs/job-work.ts';
import { jobsStore, type JobsStore, type NewJob } from '../../../src-main/service/jobs/jobs-store.ts';
import { Counters } from '../../../src-main/service/metrics/counters.ts';

interface Move {
  readonly id: number;
  readonly before: JobState;
  readonly after: JobState;
}

let database: Database.Database;
let jobs: JobsStore;

beforeEach(() => {
  database = new Database(':memory:');
  migrate(database, migrations, '');
  database.exec(`CREATE TEMP TABLE moves (id, before, after);
    CREATE TEMP TRIGGER moved AFTER UPDATE OF state ON jobs WHEN old.state <> new.state
      BEGIN INSERT INTO moves VALUES (old.id, old.state, new.state); END`);
  jobs = jobsStore(storeContext(database).database);
});
afterEach(() => database.close());

const resumable: NewJob = { kind: 'verify', measurementId: 'run', userId: null, parameters: {} };
const other: NewJob = { ...resumable, kind: 'export' };
const ends = { succeed: 'succeed', fail: 'fail', requeue: 'requeue' } as const;

/** Applies an event as the service does. @returns whether it changed the row. */
async function apply(id: number, event: JobEvent): Promise<boolean> {
  switch (event) {
    case 'start':
      return (await jobs.start(id, thisProcess())) !== null;
    case 'interrupt':
      return jobs.interrupt(id, 'interrupted');
    case 'succeed':
    case 'fail':
    case 'requeue':
      return jobs.end(id, { event: ends[event], message: event, result: null });
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'retry':
      return jobs.act(id, event, event);
  }
}

const way: Readonly<Record<JobState, readonly JobEvent[]>> = {
  queued: [],
  running: ['start'],
  paused: ['pause'],
  done: ['start', 'succeed'],
  failed: ['start', 'fail'],
  cancelled: ['cancel'],
};
const cells = jobStates.flatMap((state) =>
  (Object.keys(jobTransitions[state]) as JobEvent[]).map((event) => [state, event] as const),
);

describe('each cell of the table is what the database does', () => {
  test.each(cells)('%s and %s', async (state, event) => {
    const { id } = await jobs.create(resumable);
    for (const step of way[state]) await apply(id, step);
    const before = await jobs.byId(id);
    expect(before?.state).toBe(state);
    const cell = jobTransitions[state][event];
    if (cell === 'impossible') await expect(apply(id, event)).rejects.toThrow(ImpossibleEvent);
    else expect(await apply(id, event)).toBe(cell in jobTransitions);
    const after = await jobs.byId(id);
    if (cell in jobTransitions) expect(after?.state).toBe(cell);
    else expect(after).toEqual(before);
    expect(after?.ended_at === null).toBe(['queued', 'running', 'paused'].includes(after?.state ?? ''));
  });
});

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

interface Life {
  readonly runner: JobRunner;
  readonly bench: Bench;
  /** Ends it as a kill does: nothing that it does later reaches the database. */
  kill(): void;
}

function newLife(): Life {
  const bench = new Bench();
  let killed = false;
  const hang = new Promise<never>(() => {});
  const mortal = Object.fromEntries(
    Object.entries(jobs).map(([name, method]: [string, (...values: never[]) => Promise<unknown>]) => [
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

const step = fc.oneof(
  fc.record({ do: fc.constantFrom('add-resumable', 'add-other', 'stop', 'kill') }),
  fc.record({
    do: fc.constantFrom(
      'pause',
      'resume',
      'cancel',
      'cancel',
      'retry',
      'succeed',
      'fail',
      'must-pause',
      'cancel-elsewhere',
    ),
    of: fc.nat(4),
  }),
);
type Step = { readonly do: string; readonly of?: number };

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise(setImmediate);
}

async function restarted(life: Life, how: 'stop' | 'kill'): Promise<Life> {
  if (how === 'kill') life.kill();
  else await life.runner.stop();
  const next = newLife();
  await next.runner.recover();
  return next;
}

async function take(life: Life, one: Step): Promise<Life> {
  const row = (await jobs.list('all', null))[one.of ?? 0];
  switch (one.do) {
    case 'add-resumable':
    case 'add-other':
      await life.runner.enqueue(one.do === 'add-other' ? other : resumable);
      break;
    case 'stop':
    case 'kill':
      return restarted(life, one.do);
    case 'pause':
    case 'resume':
    case 'cancel':
      if (row) void life.runner.act(row, one.do).catch(() => {});
      break;
    case 'retry':
      // Twice, as after a double click.
      if (row) await Promise.allSettled([life.runner.retry(row), life.runner.retry(row)]);
      break;
    case 'cancel-elsewhere':
      if (row) await jobs.act(row.id, 'cancel', 'Cancelled');
      break;
    default:
      if (row) life.bench.open.get(row.id)?.end(one.do as 'succeed' | 'fail' | 'must-pause');
  }
  return life;
}

test('whatever happens in whatever order, no job leaves the table, loses its end or comes back', async () => {
  const allowed = new Set(
    cells
      .map(([state, event]) => `${state} ${jobTransitions[state][event]}`)
      .filter((pair) => !pair.endsWith('ed ignored')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 5, maxLength: 40 }), async (steps) => {
      database.exec('DELETE FROM jobs; DELETE FROM moves');
      let life = newLife();
      for (const [one, waits] of steps) {
        life = await take(life, one);
        if (waits) await settle();
      }
      // Time for what is under way, then an end for all that runs or waits.
      for (let round = 0; round < 200 && !(await life.runner.idle()); round += 1) {
        for (const work of life.bench.open.values()) work.end('succeed');
        for (const row of await jobs.inState('running')) await life.runner.act(row, 'resume');
        await settle();
      }
      const moves = database.prepare<[], Move>('SELECT id, before, after FROM moves').all();
      expect(moves.filter(({ before, after }) => !allowed.has(`${before} ${after}`))).toEqual([]);
      expect(
        moves.filter(
          ({ before, after }) =>
            ['done', 'cancelled'].includes(before) || (before === 'failed' && after !== 'cancelled'),
        ),
      ).toEqual([]);
      const states = (await jobs.list('all', null)).map(({ state }) => state);
      expect(states.filter((state) => state === 'queued' || state === 'running')).toEqual([]);
      await life.runner.stop();
    }),
    { numRuns: 150 },
  );
});

/** A job that runs in a new process. */
async function runningJob(
  job: NewJob,
): Promise<Life & { readonly id: number; readonly state: () => Promise<string | undefined> }> {
  const life = newLife();
  const { id } = await life.runner.enqueue(job);
  await settle();
  return { ...life, id, state: async () => (await jobs.byId(id))?.state };
}

test('a job that is resumed while it is still stopping goes on', async () => {
  const { id, runner, state } = await runningJob(resumable);
  const row = await jobs.byId(id);
  if (!row) throw new Error('the job is gone');
  await Promise.all([runner.act(row, 'pause'), runner.act(row, 'resume')]);
  await settle();
  expect(await state()).toBe('running');
  await runner.stop();
});

test('a job that waits for space is cancelled, also when it was just about to wait', async () => {
  const { id, runner, state, bench } = await runningJob(resumable);
  const row = await jobs.byId(id);
  if (!row) throw new Error('the job is gone');
  bench.open.get(id)?.end('must-pause');
  expect(await runner.act(row, 'cancel')).toMatchObject({ state: 'cancelled' });
  expect([await state(), bench.discarded]).toEqual(['cancelled', [id]]);
  await runner.stop();
});

test('a job that another process cancelled stays so when its work ends, and leaves nothing behind', async () => {
  const { id, runner, state, bench } = await runningJob(resumable);
  await jobs.act(id, 'cancel', 'Cancelled');
  bench.open.get(id)?.end('succeed');
  await runner.ended(id);
  expect([await state(), bench.discarded]).toEqual(['cancelled', [id]]);
  await runner.stop();
});

test('a job that failed is tried again once, however often that is asked at once', async () => {
  const { id, runner, bench } = await runningJob(resumable);
  bench.open.get(id)?.end('fail');
  const failed = await runner.ended(id);
  const tries = await Promise.allSettled([runner.retry(failed), runner.retry(failed), runner.retry(failed)]);
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect((await jobs.list('all', null)).length).toBe(2);
  await runner.stop();
});

test('an action on a job that is just being started is not lost', async () => {
  const life = newLife();
  const row = await life.runner.enqueue(resumable);
  expect(await life.runner.act(row, 'pause')).toMatchObject({ state: 'paused' });
  await settle();
  expect((await jobs.byId(row.id))?.state).toBe('paused');
  await life.runner.stop();
});
