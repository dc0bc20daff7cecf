import { describe, expect, test } from 'vitest';
import { fetchStageOf, fetchTransitions, type FetchStage } from '../../../../src-shared/states/fetch-states.ts';
import { ImpossibleEvent, nextOf } from '../../../../src-shared/states/transitions.ts';
import type { FetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import type { FetchRow } from '../../../../src-main/service/fetching/store/fetch-row.ts';
import { someFetch } from '../some-fetch.ts';
import { turns } from './fake-engine.ts';
import { done, unreachable, useQueueWorld } from './queue-world.ts';
import { cells, way } from './states-scene.ts';

const world = useQueueWorld();

async function rowOf(id: number): Promise<FetchRow> {
  const row = await world.fetches.byId(id);
  if (!row) throw new Error('the fetch is gone');
  return row;
}

/** A fetch in a stage, one file of one on disk or not. */
async function fetchIn(stage: FetchStage, complete: boolean): Promise<number> {
  const { id } = await world.fetches.create(someFetch);
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
