import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fetchStageOf,
  fetchTransitions,
  type FetchEvent,
  type FetchStage,
} from '../../../../src-shared/states/fetch-states.ts';
import { ImpossibleEvent, nextOf } from '../../../../src-shared/states/transitions.ts';
import type { FetchOutcome } from '../../../../src-main/service/fetching/engine/types.ts';
import type { FetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import type { FetchRow, NewFetch } from '../../../../src-main/service/fetching/store/fetch-row.ts';
import { done, queueWorld, turns, unreachable, type World } from './queue-world.ts';

let world: World;
beforeEach(async () => {
  world = await queueWorld();
});
afterEach(async () => world.end());

const wish: NewFetch = {
  serverId: 1,
  baseUrl: 'http://lab.example',
  measurementId: 'm',
  title: null,
  what: 'files',
  chosen: null,
  target: '/data/m',
  unpack: false,
  priority: 0,
  paused: false,
};
const way: Readonly<Record<FetchStage, readonly FetchEvent[]>> = {
  queued: [],
  running: ['start'],
  waiting: ['start', 'wait'],
  asking: ['start', 'ask'],
  paused: ['pause'],
  done: ['start', 'finish'],
  failed: ['start', 'fail'],
  cancelled: ['cancel'],
  'verify-queued': ['start', 'finish', 'verify'],
  verifying: ['start', 'finish', 'verify', 'start'],
};
const stages = Object.keys(way) as FetchStage[];
const cells = stages.flatMap((stage) =>
  (Object.keys(fetchTransitions[stage]) as FetchEvent[]).map((event) => [stage, event] as const),
);

async function rowOf(id: number): Promise<FetchRow> {
  const row = await world.fetches.byId(id);
  if (!row) throw new Error('the fetch is gone');
  return row;
}

/** A fetch in a stage, one file of one on disk or not. */
async function fetchIn(stage: FetchStage, complete: boolean): Promise<number> {
  const { id } = await world.fetches.create(wish);
  for (const event of way[stage]) await world.fetches.apply([id], event, 1000);
  world.database.prepare('UPDATE fetches SET files_total = 1, files_done = ? WHERE id = ?').run(complete ? 1 : 0, id);
  expect([stage, fetchStageOf(await rowOf(id))]).toEqual([stage, stage]);
  return id;
}

test('each cell of the table is what the database does', async () => {
  // The rows here are the test's, not the queue's.
  await world.queue.stop();
  for (const [stage, event] of cells) {
    for (const complete of [true, false]) {
      const id = await fetchIn(stage, complete);
      const before = await rowOf(id);
      const next = nextOf(fetchTransitions, stage, event);
      const applied = world.fetches.apply([id], event, 2000, { message: 'changed' });
      if (fetchTransitions[stage][event] === 'impossible') await expect(applied).rejects.toThrow(ImpossibleEvent);
      else expect([stage, event, await applied]).toEqual([stage, event, next === null ? 0 : 1]);
      const after = await rowOf(id);
      const expected = next === 'as-ended' ? (complete ? 'done' : 'failed') : (next ?? stage);
      expect([stage, event, fetchStageOf(after)]).toEqual([stage, event, expected]);
      if (next === null) expect(after).toEqual(before);
      else expect(after.message).toBe('changed');
      const hasEnd = ['done', 'failed', 'cancelled', 'verify-queued', 'verifying'].includes(expected);
      expect([stage, event, after.ended_at]).toEqual([stage, event, hasEnd ? (before.ended_at ?? 2000) : null]);
    }
  }
});

describe('a run that is being stopped', () => {
  /** A running fetch that takes its time to stop. */
  async function slow(): Promise<number> {
    const id = await world.add();
    world.runOf(id).stuck = true;
    return id;
  }

  test.each([
    [['pause', 'cancel'], 'cancelled'],
    [['cancel', 'pause'], 'cancelled'],
    [['cancel', 'resume'], 'cancelled'],
    [['pause', 'resume'], 'running'],
    [['pause', 'resume', 'pause'], 'paused'],
  ] as const)('and is told to %s is %s', async (actions, state) => {
    const id = await slow();
    for (const action of actions) {
      void world.queue.act(action, [id]);
      await turns();
    }
    await world.runOf(id).end({ kind: 'stopped' });
    await turns();
    expect(await world.state(id)).toBe(state);
  });

  test('for want of space goes on when it is resumed', async () => {
    const id = await slow();
    world.room = { free: 1000, disk: 'd', made: true };
    await world.journal.begin(id, { manifestDigest: new Uint8Array([1]), filesTotal: 1, bytesTotal: 1_000_000_000 });
    await world.clock.advance(2000);
    expect(world.runOf(id).stopped).toBe(true);
    world.room = { free: 1e15, disk: 'd', made: true };
    expect(await world.queue.act('resume', [id])).toBe(1);
    await world.runOf(id).end({ kind: 'stopped' });
    await turns();
    expect(await world.state(id)).toBe('running');
  });
});

describe('a verification that cannot run leaves the fetch as it ended', () => {
  test('because its folder is away', async () => {
    const id = await world.add();
    await world.journal.begin(id, { manifestDigest: new Uint8Array([1]), filesTotal: 0, bytesTotal: 0 });
    await world.runOf(id).end(done);
    world.room = null;
    await world.queue.act('verify', [id]);
    await turns();
    expect(await world.shown(id)).toMatchObject({
      state: 'done',
      reason: 'target-missing',
      message: expect.stringMatching(/^It could not be verified\. .* does not exist\./),
    });
    world.room = { free: 1e15, disk: 'd', made: true };
    await world.queue.act('verify', [id]);
    await turns();
    await world.runOf(id).end(done);
    expect(await world.shown(id)).toMatchObject({ state: 'done', reason: null, message: null });
  });

  test('because something unexpected happens', async () => {
    const id = await world.add();
    await world.journal.begin(id, { manifestDigest: new Uint8Array([1]), filesTotal: 0, bytesTotal: 0 });
    await world.runOf(id).end(done);
    const ended = (await world.shown(id)).ended_at;
    const log = world.journal.log.bind(world.journal);
    world.journal.log = async (): Promise<void> => Promise.reject(new Error('no log'));
    await world.clock.advance(1000);
    await world.queue.act('verify', [id]);
    await turns();
    world.journal.log = log;
    await world.clock.advance(3000);
    expect(await world.shown(id)).toMatchObject({ state: 'done', reason: 'unexpected', ended_at: ended });
  });
});

/** Simulates a full disk for some writes. @returns the number of those left. */
function full(times: number): () => number {
  const apply: FetchesStore['apply'] = world.fetches.apply.bind(world.fetches);
  let left = times;
  world.fetches.apply = async (...values): Promise<number> => {
    left -= 1;
    if (left < 0) return apply(...values);
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  return () => left;
}

describe('on a full disk', () => {
  const ends: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    done: async (id) => world.runOf(id).end(done),
    asking: async (id) => world.runOf(id).end({ kind: 'ask', reason: 'disk-full', message: 'full' }),
    cancelled: async (id) => world.queue.act('cancel', [id]),
    paused: async (id) => world.queue.act('pause', [id]),
  };
  test.each(Object.entries(ends))('a fetch that is %s becomes so when there is room again', async (state, end) => {
    const id = await world.add();
    const apply: FetchesStore['apply'] = world.fetches.apply.bind(world.fetches);
    let isFull = true;
    world.fetches.apply = async (ids, event, ...others): Promise<number> => {
      // Actions store first what they change besides the run.
      if (!isFull || ids.length === 0) return apply(ids, event, ...others);
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    await end(id);
    expect(await world.state(id)).toBe('running');
    await world.clock.advance(5000);
    expect(await world.state(id)).toBe('running');
    isFull = false;
    await world.clock.advance(5000);
    expect(await world.state(id)).toBe(state);
  });

  test('a fetch that is due is retried when there is room again', async () => {
    const id = await world.add();
    await world.runOf(id).end(unreachable);
    expect(await world.state(id)).toBe('waiting');
    const left = full(3);
    await world.clock.advance(3_600_000);
    expect(left()).toBeLessThan(0);
    expect(await world.state(id)).toBe('running');
  });
});

const outcomes: readonly FetchOutcome[] = [
  done,
  unreachable,
  { kind: 'stopped' },
  { kind: 'failed', reason: 'not-found', message: 'gone' },
  { kind: 'ask', reason: 'disk-full', message: 'full' },
  { kind: 'ask', reason: 'token-refused', message: 'token' },
];
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('add', 'add-paused', 'restart', 'wait', 'long-wait', 'wake', 'full', 'room', 'servers'),
  }),
  fc.record({
    do: fc.constantFrom('pause', 'resume', 'cancel', 'retry', 'verify', 'remove', 'clear'),
    of: fc.nat(3),
    all: fc.boolean(),
  }),
  fc.record({ do: fc.constant('end'), of: fc.nat(3), outcome: fc.nat(outcomes.length - 1) }),
);
type Step = { readonly do: string; readonly of?: number; readonly all?: boolean; readonly outcome?: number };

async function take({ do: what, of = 0, all = false, outcome = 0 }: Step): Promise<void> {
  const ids = world.database.prepare<[], number>('SELECT id FROM fetches ORDER BY id DESC').pluck().all();
  const id = ids[of];
  const running = world.runs.filter(({ over }) => !over);
  switch (what) {
    case 'add':
    case 'add-paused':
      await world.add({ paused: what === 'add-paused', target: `/data/${ids.length % 3}` });
      break;
    case 'restart':
      await world.restart();
      break;
    case 'wait':
    case 'long-wait':
      await world.clock.advance(what === 'wait' ? 3000 : 1_200_000);
      break;
    case 'wake':
      world.clock.set(world.clock.now() + 86_400_000);
      break;
    case 'full':
    case 'room':
      world.room = { free: what === 'full' ? 0 : 1e15, disk: 'd', made: true };
      break;
    case 'servers':
      world.tokens.set(1, String(Math.random()));
      await world.serversChanged();
      break;
    case 'end':
      await running[of]?.end(outcomes[outcome] ?? done);
      break;
    default:
      if (id !== undefined) void world.queue.act(what as 'pause', all ? 'all' : [id]);
  }
}

test('whatever happens in whatever order, no fetch leaves the table or is forgotten', async () => {
  world.database.exec(`CREATE TEMP TABLE moves (before_state, before_end, after_state, after_end);
    CREATE TEMP TRIGGER moved AFTER UPDATE OF state, ended_at ON fetches BEGIN
      INSERT INTO moves VALUES (old.state, old.ended_at, new.state, new.ended_at); END`);
  const allowed = new Set(
    cells.flatMap(([stage, event]) => {
      const next = nextOf(fetchTransitions, stage, event);
      return (next === 'as-ended' ? ['done', 'failed'] : [next]).map((one) => `${stage} ${one}`);
    }),
  );
  const moves = world.database.prepare<
    [],
    Record<'before_state' | 'after_state', FetchRow['state']> & Record<'before_end' | 'after_end', number | null>
  >('SELECT DISTINCT * FROM moves');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 5, maxLength: 30 }), async (steps) => {
      for (const [one, waits] of steps) {
        await take(one);
        if (waits) await turns();
      }
      world.room = { free: 1e15, disk: 'd', made: true };
      await turns();
      await world.queue.act('resume', 'all');
      for (let round = 0; round < 40; round += 1) {
        for (const run of world.runs.filter(({ over }) => !over)) await run.end(done);
        await world.clock.advance(60_000);
      }
      const left = world.database.prepare<[], string>('SELECT DISTINCT state FROM fetches').pluck().all();
      expect(left.filter((state) => !['done', 'failed', 'cancelled'].includes(state))).toEqual([]);
      const pairs = moves.all().map((one) => {
        const before = fetchStageOf({ state: one.before_state, ended_at: one.before_end });
        return `${before} ${fetchStageOf({ state: one.after_state, ended_at: one.after_end })}`;
      });
      expect(pairs.filter((pair) => !allowed.has(pair))).toEqual([]);
      await world.queue.act('remove', 'all');
    }),
    { numRuns: 40 },
  );
});
