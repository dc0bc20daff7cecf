import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jobStates, jobTransitions, type JobEvent, type JobState } from '../../../src-shared/states/job-states.ts';
import { ImpossibleEvent } from '../../../src-shared/states/transitions.ts';
import { thisProcess } from '../../../src-main/service/jobs/job-process.ts';
import type { NewJob } from '../../../src-main/service/jobs/jobs-store.ts';
import { type Life, resumable, settle, useJobs } from './jobs-scene.ts';

const scene = useJobs();
const { newLife } = scene;

interface Move {
  readonly id: number;
  readonly before: JobState;
  readonly after: JobState;
}
const other: NewJob = { ...resumable, kind: 'export' };
const ends = { succeed: 'succeed', fail: 'fail', requeue: 'requeue' } as const;

/** Applies an event as the service does. @returns whether it changed the row. */
async function apply(id: number, event: JobEvent): Promise<boolean> {
  switch (event) {
    case 'start':
      return (await scene.jobs.start(id, thisProcess())) !== null;
    case 'interrupt':
      return scene.jobs.interrupt(id, 'interrupted');
    case 'succeed':
    case 'fail':
    case 'requeue':
      return scene.jobs.end(id, { event: ends[event], message: event, result: null });
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'retry':
      return scene.jobs.act(id, event, event);
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
    const { id } = await scene.jobs.create(resumable);
    for (const step of way[state]) await apply(id, step);
    const before = await scene.jobs.byId(id);
    expect(before?.state).toBe(state);
    const cell = jobTransitions[state][event];
    if (cell === 'impossible') await expect(apply(id, event)).rejects.toThrow(ImpossibleEvent);
    else expect(await apply(id, event)).toBe(cell in jobTransitions);
    const after = await scene.jobs.byId(id);
    if (cell in jobTransitions) expect(after?.state).toBe(cell);
    else expect(after).toEqual(before);
    expect(after?.ended_at === null).toBe(['queued', 'running', 'paused'].includes(after?.state ?? ''));
  });
});

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

async function restarted(life: Life, how: 'stop' | 'kill'): Promise<Life> {
  if (how === 'kill') life.kill();
  else await life.runner.stop();
  const next = newLife();
  await next.runner.recover();
  return next;
}

async function take(life: Life, one: Step): Promise<Life> {
  const row = (await scene.jobs.list('all', null))[one.of ?? 0];
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
      if (row) await scene.jobs.act(row.id, 'cancel', 'Cancelled');
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
      scene.database.exec('DELETE FROM jobs; DELETE FROM moves');
      let life = newLife();
      for (const [one, waits] of steps) {
        life = await take(life, one);
        if (waits) await settle();
      }
      // Time for what is under way, then an end for all that runs or waits.
      for (let round = 0; round < 200 && !(await life.runner.idle()); round += 1) {
        for (const work of life.bench.open.values()) work.end('succeed');
        for (const row of await scene.jobs.inState('running')) await life.runner.act(row, 'resume');
        await settle();
      }
      const moves = scene.database.prepare<[], Move>('SELECT id, before, after FROM moves').all();
      expect(moves.filter(({ before, after }) => !allowed.has(`${before} ${after}`))).toEqual([]);
      expect(
        moves.filter(
          ({ before, after }) =>
            ['done', 'cancelled'].includes(before) || (before === 'failed' && after !== 'cancelled'),
        ),
      ).toEqual([]);
      const states = (await scene.jobs.list('all', null)).map(({ state }) => state);
      expect(states.filter((state) => state === 'queued' || state === 'running')).toEqual([]);
      await life.runner.stop();
    }),
    { numRuns: 150 },
  );
});
