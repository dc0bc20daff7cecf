import { expect, test } from 'vitest';
import type { RemovedMeasurement } from '../../../../src-main/service/contract/removed/removed-measurements.ts';
import { rebuildMeasurement } from '../../../../src-main/service/measurements/objects/rebuild.ts';
import { removeOldObjects } from '../../../../src-main/service/measurements/objects/remove-objects.ts';
import { continueRemovals } from '../../../../src-main/service/measurements/removed/purge-removed.ts';
import { startStandIn, type StandIn } from '../../object-storage/stand-in.ts';
import { useFreshWorld } from '../../use-service.ts';
import { bytesOf, startObjectsWorld, type ObjectsWorld } from '../objects/objects-world.ts';

interface World extends ObjectsWorld {
  readonly standIn: StandIn;
}

const graceMs = 3600_000;
const { signal } = new AbortController();
const removedPath = '/api/v4/removed_measurements';
const files = { 'a.txt': Buffer.from('alpha'), 'large.bin': Buffer.alloc(5_000_000, 3) };

const world = useFreshWorld(async (): Promise<World> => {
  const standIn = await startStandIn();
  const started = await startObjectsWorld({ ...standIn.settings, graceMs });
  return {
    ...started,
    standIn,
    end: async () => {
      standIn.fault = () => null;
      await started.end();
      await standIn.close();
    },
  };
});

/** Ends of the keys in the bucket. */
function kinds(): readonly string[] {
  return [...world.standIn.objects.keys()].map((key) => key.slice(key.lastIndexOf('.'))).toSorted();
}

async function send(method: string, url: string): Promise<Response> {
  return fetch(world.service.url + url, { method, headers: { authorization: `Bearer ${world.token}` } });
}

async function removed(): Promise<readonly RemovedMeasurement[]> {
  return (await (await send('GET', removedPath)).json()) as readonly RemovedMeasurement[];
}

/** Adds what the bucket alone knows. */
async function rebuild(withRemoved = false): Promise<readonly string[]> {
  const { services } = world.service;
  const { objectStorage } = services;
  if (!objectStorage) throw new Error('no storage');
  const outcomes: string[] = [];
  for (const { key, length } of await objectStorage.list('measurements/', '', 100, signal)) {
    if (!key.endsWith('.json')) continue;
    const { outcome } = await rebuildMeasurement(
      services,
      objectStorage,
      key,
      length,
      world.alice,
      withRemoved,
      signal,
    );
    outcomes.push(outcome);
  }
  return outcomes;
}

test('a removed measurement keeps its object, which says so, and is restored with the same bytes', async () => {
  expect((await world.upload('run', files)).status).toBe(201);
  const whole = await bytesOf(await world.get('/measurements/run'));
  expect((await send('DELETE', '/api/v4/measurements/run')).status).toBe(204);
  expect(kinds()).toEqual(['.json', '.removed', '.zip']);
  const { services } = world.service;
  expect(await rebuild(true)).toEqual(['removed']);
  expect(await removeOldObjects(services, Date.now() + 30 * 24 * graceMs, signal)).toBe(0);
  const [{ id } = { id: 0 }] = await removed();
  expect((await send('POST', `${removedPath}/${id}/restore`)).status).toBe(200);
  expect(kinds()).toEqual(['.json', '.zip']);
  expect((await bytesOf(await world.get('/measurements/run'))).equals(whole)).toBe(true);
  expect(await rebuild()).toEqual(['known']);
});

test('a rebuild after the loss of the database adds what was removed only where that is wanted', async () => {
  await world.upload('run', files);
  await send('DELETE', '/api/v4/measurements/run');
  const { services } = world.service;
  const [{ id } = { id: 0 }] = await removed();
  const row = await services.removed.byNumber(id);
  while (await services.registrations.dropFiles(row?.kept_id ?? '', 100, null));
  await services.measurements.remove(row?.kept_id ?? '');
  expect(await removed()).toEqual([]);
  expect(await rebuild()).toEqual(['removed']);
  expect(await rebuild(true)).toEqual(['added']);
  expect(kinds()).toEqual(['.json', '.zip']);
  expect((await world.get('/measurements/run/files/0')).status).toBe(200);
  // The object that was noted for its removal is in use again.
  expect(await removeOldObjects(services, Date.now() + 2 * graceMs, signal)).toBe(0);
  expect(kinds()).toEqual(['.json', '.zip']);
});

test('what is purged leaves nothing in the bucket when the grace period is over', async () => {
  await world.upload('run', files);
  await send('DELETE', '/api/v4/measurements/run');
  const { services } = world.service;
  const [{ restorable_until: until } = { restorable_until: '' }] = await removed();
  await continueRemovals(services, Date.parse(until), signal);
  expect(await removed()).toEqual([]);
  expect(kinds()).toEqual(['.json', '.removed', '.zip']);
  // The grace period began with the removal.
  expect(await removeOldObjects(services, Date.now() + graceMs + 1, signal)).toBe(1);
  expect(kinds()).toEqual([]);
});

test('without the object storage a removal is made and marked later, and a restoration waits', async () => {
  await world.upload('run', files);
  const { services } = world.service;
  world.standIn.fault = () => 403;
  expect((await send('DELETE', '/api/v4/measurements/run')).status).toBe(204);
  const [{ id } = { id: 0 }] = await removed();
  const refused = await send('POST', `${removedPath}/${id}/restore`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await removed()).toHaveLength(1);
  world.standIn.fault = () => null;
  expect(kinds()).toEqual(['.json', '.zip']);
  await continueRemovals(services, Date.now(), signal);
  expect(kinds()).toEqual(['.json', '.removed', '.zip']);
  expect((await send('POST', `${removedPath}/${id}/restore`)).status).toBe(200);
  expect(kinds()).toEqual(['.json', '.zip']);
});

test('one whose archive is gone is not restored, and says so', async () => {
  await world.upload('run', files);
  await send('DELETE', '/api/v4/measurements/run');
  for (const key of world.standIn.objects.keys()) if (key.endsWith('.zip')) world.standIn.objects.delete(key);
  const [{ id } = { id: 0 }] = await removed();
  const refused = await send('POST', `${removedPath}/${id}/restore`);
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { detail: expect.stringContaining('The archive of run is not in') },
  ]);
  expect(await removed()).toHaveLength(1);
  expect((await send('DELETE', `${removedPath}/${id}`)).status).toBe(204);
  expect(await removed()).toEqual([]);
});
