import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { engineOfTests } from '../start.ts';
import { makeFiles, register, startWithFolder } from '../measurements/registration/support.ts';
import { manifestOf, uploadsBy } from '../measurements/uploads/manifest-support.ts';
import { makeZip } from '../measurements/uploads/support.ts';
import { openBeside } from '../fixture-measurement.ts';
import { useWorld } from '../use-service.ts';

const world = useWorld(startWithFolder);
const first = Date.UTC(2026, 2, 1, 8, 0, 0, 250);
const last = Date.UTC(2026, 2, 1, 9, 30);
let token: string;

beforeAll(async () => {
  token = await world.token(1, ['write_measurement', 'read_measurement']);
});

/** A folder of files with the given modification times. */
async function folderOf(name: string, times: readonly number[], bytes = name): Promise<string> {
  const folder = path.join(world.files, name);
  await makeFiles(folder, Object.fromEntries(times.map((_, at) => [`f${at}`, `${bytes} ${at}`])));
  for (const [at, time] of times.entries()) await utimes(path.join(folder, `f${at}`), time / 1000, time / 1000);
  return folder;
}

async function timesOf(id: string): Promise<readonly (number | null)[]> {
  const row = await world.services.measurements.byId(id);
  return [row?.began_at ?? null, row?.ended_at ?? null];
}

test('a registration keeps the first and the last modification of its files', async () => {
  const folder = await folderOf('kept', [last, first, first + 1000]);
  await register(world, { path: folder, copy: true, id: 'copied' });
  expect(await timesOf('copied')).toEqual([first, last]);
  if (engineOfTests === 'postgres') return;
  await register(world, { path: folder, id: 'referenced' });
  expect(await timesOf('referenced')).toEqual([first, last]);
});

test('a file that the library has already counts with its own time', async () => {
  await register(world, { path: await folderOf('before', [first], 'same'), copy: true, id: 'before' });
  await register(world, { path: await folderOf('after', [last], 'same'), copy: true, id: 'after' });
  expect(await timesOf('after')).toEqual([last, last]);
});

test('times that cannot be those of a run are passed over', async () => {
  const implausible = [
    0,
    Date.UTC(1980, 0, 1),
    Date.UTC(1989, 11, 31),
    Date.now() + 3 * 86_400_000,
    Date.UTC(2300, 0, 1),
  ];
  await register(world, { path: await folderOf('mixed', [...implausible, first]), copy: true, id: 'mixed' });
  expect(await timesOf('mixed')).toEqual([first, first]);
  await register(world, { path: await folderOf('timeless', implausible), copy: true, id: 'timeless' });
  expect(await timesOf('timeless')).toEqual([null, null]);
});

test('of a ZIP the times of its entries count', async () => {
  const zip = await makeZip(path.join(world.files, 'run.zip'), { 'a.txt': Buffer.from('a') });
  await register(world, { path: zip, id: 'zipped' });
  const [began, ended] = await timesOf('zipped');
  // Entries have local times without a zone, and even seconds.
  expect(Math.abs((began ?? 0) - Date.now())).toBeLessThan(2 * 86_400_000);
  expect(ended).toBe(began);
});

test('an upload with a manifest has the times of its entries, or those that it begins with', async () => {
  const send = async (id: string, head: object): Promise<void> => {
    const { document, archive } = manifestOf(id, [{ path: 'a', bytes: Buffer.from(id) }], '2026-02-03T04:05:06.789Z');
    const client = uploadsBy(world.url, token);
    const created = await client.create(JSON.stringify({ ...document, ...head }));
    expect(created.status).toBe(201);
    await client.patch(client.addressIn(created), 0, archive);
    await expect
      .poll(async () => (await world.services.measurements.byId(id))?.state, { timeout: 30_000 })
      .toBe('available');
  };
  const entry = Date.parse('2026-02-03T04:05:06.789Z');
  await send('of-entries', {});
  expect(await timesOf('of-entries')).toEqual([entry, entry]);
  const began_at = new Date(first).toISOString();
  await send('of-head', { began_at, ended_at: new Date(last).toISOString() });
  expect(await timesOf('of-head')).toEqual([first, last]);
  await send('of-half-a-head', { began_at });
  expect(await timesOf('of-half-a-head')).toEqual([entry, entry]);
  await send('of-no-time', { began_at: '1970-01-01T00:00:00Z', ended_at: '1970-01-01T00:00:00Z' });
  expect(await timesOf('of-no-time')).toEqual([entry, entry]);
  const refused = await uploadsBy(world.url, token).create(
    JSON.stringify({ ...manifestOf('x', []).document, began_at: 'noon' }),
  );
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining('began_at and ended_at (such as 2026-01-31T10:20:30.123Z)'),
  ]);
});

test('measurements from before get their times later, without those of files that they share', async () => {
  const { timelineFills } = world.services;
  const database = openBeside(world);
  await register(world, { path: await folderOf('old-one', [first], 'shared'), copy: true, id: 'old-one' });
  const shared = await folderOf('old-other', [first, last], 'shared');
  await register(world, { path: shared, copy: true, id: 'old-other' });
  const ids = ['old-one', 'old-other', 'of-entries', 'timeless'];
  for (const id of ids)
    database.prepare('UPDATE measurements SET began_at = NULL, ended_at = NULL WHERE id = ?').run(id);
  database.prepare(`UPDATE search_fills SET filled_to = 0, complete = 0 WHERE name = 'measurement-times'`).run();
  database.close();
  while (await timelineFills.measurementTimes.purgeSome(0));
  const entry = Date.parse('2026-02-03T04:05:06.789Z');
  // The library keeps whole seconds.
  expect(await Promise.all(ids.map(timesOf))).toEqual([
    [null, null],
    [last, last],
    [entry, entry],
    [null, null],
  ]);
  expect(await timelineFills.measurementTimes.purgeSome(0)).toBe(false);
});
