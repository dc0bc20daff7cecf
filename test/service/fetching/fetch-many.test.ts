import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FetchPage } from '../../../src-main/service/contract/fetches.ts';
import type { FetchManyResult } from '../../../src-main/service/contract/fetch-many.ts';
import type { AddingEvent } from '../../../src-main/service/contract/events.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { useFetches } from './fetch-scene.ts';

const scene = useFetches();
const { post, get } = scene;

describe('U9: many at once', () => {
  const many = (body: object): Promise<Answer> =>
    asWindow(scene.here, 'POST', '/api/v4/local/fetches/many', {
      server_id: scene.serverId,
      what: 'files',
      target: scene.dir,
      paused: true,
      ...body,
    });
  const results = (answer: Answer) => (answer.body as FetchManyResult).results;

  test('each is answered for, in order; the same twice is refused as a single one is, and keeps no other from being added', async () => {
    await post({ measurement_id: 'run-3', paused: true });
    const measurements = [
      ...Array.from({ length: 120 }, (_, at) => ({ id: `run-${at}`, title: `Run ${at}` })),
      { id: 'run-7' },
    ];
    const answer = await many({ measurements });
    expect(answer.status).toBe(200);
    expect(results(answer).map((one) => one.measurement_id)).toEqual(measurements.map(({ id }) => id));
    const refused = results(answer).flatMap(({ problem, fetch }, at) =>
      fetch === null ? [[at, problem?.status, problem?.type]] : [],
    );
    expect(refused).toEqual([
      [3, 409, 'fetch-exists'],
      [120, 409, 'fetch-exists'],
    ]);
    const { items, total } = await get<FetchPage>('fetches?limit=500');
    expect(total).toBe(120);
    expect(items.slice(0, 3).map((one) => one.measurement_id)).toEqual(['run-3', 'run-0', 'run-1']);
    expect(items[1]).toMatchObject({ title: 'Run 0', state: 'paused', target: path.join(scene.dir, 'run-0') });
  });

  test('ids that would share a folder get one each, and a folder that is not there is said for each', async () => {
    const twins = results(await many({ measurements: [{ id: 'a/b' }, { id: 'a?b' }, { id: 'c' }] })).map(
      (one) => one.fetch?.target,
    );
    expect(new Set(twins).size).toBe(3);
    const nowhere = results(
      await many({ measurements: [{ id: 'x' }, { id: 'y' }], target: path.join(scene.dir, 'nowhere') }),
    );
    expect(nowhere.map(({ problem }) => problem?.type)).toEqual(['bad-path', 'bad-path']);
  });

  test('a thousand are one request: events tell how far it is, and the service answers others meanwhile', async () => {
    const told: AddingEvent[] = [];
    scene.here.services.events.subscribe((name, event) => {
      if (name === 'adding') told.push(event as AddingEvent);
    });
    const meanwhile = new Promise<number>((resolve) => {
      const stop = scene.here.services.events.subscribe((name) => {
        if (name !== 'adding') return;
        stop();
        void get<FetchPage>('fetches').then(({ total }) => resolve(total));
      });
    });
    const answer = await many({
      key: 'one',
      measurements: Array.from({ length: 1000 }, (_, at) => ({ id: `run-${at}` })),
    });
    expect(await meanwhile).toBeLessThan(1000);
    expect(results(answer).filter(({ fetch }) => fetch !== null)).toHaveLength(1000);
    expect(told.map(({ done }) => done)).toEqual(Array.from({ length: 20 }, (_, at) => 50 * (at + 1)));
    expect(told.every(({ key, total }) => key === 'one' && total === 1000)).toBe(true);
    expect((await get<FetchPage>('fetches')).total).toBe(1000);
  });

  test('it can be cancelled by its key: what is in the list by then is said and stays, nothing comes after it', async () => {
    const running = many({ key: 'one', measurements: Array.from({ length: 1000 }, (_, at) => ({ id: `run-${at}` })) });
    const cancel = (key: string): Promise<Answer> =>
      asWindow(scene.here, 'DELETE', `/api/v4/local/fetches/many/${key}`);
    await new Promise<void>((resolve) => {
      scene.here.services.events.subscribe((name) => name === 'adding' && resolve());
    });
    expect((await many({ key: 'one', measurements: [{ id: 'x' }] })).body).toMatchObject({
      status: 409,
      type: expect.stringContaining('key-in-use') as string,
    });
    expect((await cancel('one')).status).toBe(204);
    const answer = await running;
    const added = results(answer).filter(({ fetch }) => fetch !== null).length;
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(1000);
    expect(results(answer)).toHaveLength(1000);
    expect(results(answer).slice(added)).toEqual(
      Array.from({ length: 1000 - added }, (_, at) => ({
        measurement_id: `run-${added + at}`,
        fetch: null,
        problem: null,
      })),
    );
    expect((await get<FetchPage>('fetches')).total).toBe(added);
    expect((await cancel('one')).status).toBe(404);
  });

  test('a cancel that arrives before its request counts, once', async () => {
    const measurements = [{ id: 'run-1' }, { id: 'run-2' }];
    expect((await asWindow(scene.here, 'DELETE', '/api/v4/local/fetches/many/early')).status).toBe(204);
    const first = await many({ key: 'early', measurements });
    expect([first.status, results(first).map(({ fetch, problem }) => fetch ?? problem)]).toEqual([200, [null, null]]);
    expect((await get<FetchPage>('fetches')).total).toBe(0);
    expect(results(await many({ key: 'early', measurements })).every(({ fetch }) => fetch !== null)).toBe(true);
    expect((await get<FetchPage>('fetches')).total).toBe(2);
  });

  test('an empty list and one of more than a thousand are refused, and nothing is added', async () => {
    const tooMany = Array.from({ length: 1001 }, (_, at) => ({ id: `run-${at}` }));
    expect([(await many({ measurements: [] })).status, (await many({ measurements: tooMany })).status]).toEqual([
      400, 400,
    ]);
    expect((await get<FetchPage>('fetches')).total).toBe(0);
  });
});
