import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { asWindow } from '../as-window.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { instrumentFolder, ruleOf, useCapture } from './scene.ts';

const scene = useCapture();

/** Returns after the watcher has looked at all folders, which a run registered by it shows. */
async function afterLooks(name: string): Promise<void> {
  await scene.bench.write(`${name}/done.txt`);
  await scene.window.reaches(name, 'registered');
}

test('a skipped run stays skipped when its marker comes, until a person wants it', async () => {
  await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/data.raw');
  const { id } = await scene.window.reaches('run-1', 'seen');
  expect(await scene.window.act('skip', [id])).toMatchObject({ body: { changed: 1 } });
  await scene.bench.write('run-1/done.txt');
  await afterLooks('run-2');
  expect(await scene.window.run('run-1')).toMatchObject({ state: 'skipped', reason: 'by-hand', measurement_id: null });
  await scene.window.act('retry', [id]);
  await scene.window.reaches('run-1', 'registered');
});

test('a run without its sign is registered when a person says so', async () => {
  await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/data.raw');
  await scene.bench.write('run-2/data.raw');
  const { id } = await scene.window.reaches('run-1', 'seen');
  await scene.window.reaches('run-2', 'seen');
  expect(await scene.window.act('register', [id, 999_999])).toMatchObject({ body: { changed: 1 } });
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({ file_count: 1 });
  expect(await scene.window.run('run-2')).toMatchObject({ state: 'seen', reason: 'no-sign' });
});

test('what a decision does not fit stays as it is', async () => {
  await scene.window.add(ruleOf(scene.bench.folder));
  await afterLooks('run-1');
  const { id } = await scene.window.reaches('run-1', 'registered');
  for (const action of ['skip', 'retry', 'keep', 'register'])
    expect(await scene.window.act(action, [id])).toMatchObject({ body: { changed: 0 } });
  expect(await scene.window.run('run-1')).toMatchObject({ state: 'registered', measurement_id: 'run-1' });
});

test('a paused rule sees nothing, and registers when it is resumed', async () => {
  const other = await instrumentFolder();
  try {
    const { id } = await scene.window.add(ruleOf(other.folder, { name: 'paused' }));
    await scene.window.add(ruleOf(scene.bench.folder));
    await scene.window.call('POST', `/${id}/pause`);
    await other.write('run-1/done.txt');
    await afterLooks('run-2');
    await afterLooks('run-3');
    expect(await scene.window.run('run-1')).toBe(undefined);
    expect(await scene.window.rule(id)).toMatchObject({ state: 'paused' });
    await scene.window.call('POST', `/${id}/resume`);
    await scene.window.reaches('run-1', 'registered');
  } finally {
    await other.remove();
  }
});

test('a rule that is removed leaves measurements and files', async () => {
  const { id } = await scene.window.add(ruleOf(scene.bench.folder));
  await afterLooks('run-1');
  expect((await scene.window.call('DELETE', `/${id}`)).status).toBe(204);
  expect(await scene.window.runs()).toEqual([]);
  expect(await scene.service.services.measurements.byId('run-1')).toMatchObject({ state: 'available' });
  expect(await readdir(path.join(scene.bench.folder, 'run-1'))).toEqual(['done.txt']);
  expect((await scene.window.call('DELETE', `/${id}`)).status).toBe(404);
});

test('a run whose measurement is restored is registered again, and not for another measurement with its id', async () => {
  await scene.window.add(ruleOf(scene.bench.folder));
  await afterLooks('run-1');
  const ownerId = (await scene.service.services.measurements.byId('run-1'))?.owner_id ?? 0;
  expect((await asWindow(scene.service, 'DELETE', '/api/v4/measurements/run-1')).status).toBeLessThan(300);
  await scene.window.reaches('run-1', 'skipped');
  await addMeasurement(scene.service, ownerId, 'run-1', [{ path: 'other.txt', bytes: 'another one' }], Date.now());
  await afterLooks('run-2');
  expect(await scene.window.run('run-1')).toMatchObject({ state: 'skipped', reason: 'measurement-removed' });
  const remove = async (): Promise<number> =>
    (await asWindow(scene.service, 'DELETE', '/api/v4/measurements/run-1')).status;
  expect(await remove()).toBeLessThan(300);
  const listed = await asWindow(scene.service, 'GET', '/api/v4/removed_measurements?measurement_id=run-1');
  const removals = listed.body as readonly { readonly id: number }[];
  const first = Math.min(...removals.map(({ id }) => id));
  expect((await asWindow(scene.service, 'POST', `/api/v4/removed_measurements/${first}/restore`, {})).status).toBe(200);
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({ measurement_id: 'run-1', reason: null });
  expect(await remove()).toBeLessThan(300);
  expect(await scene.window.reaches('run-1', 'skipped')).toMatchObject({ reason: 'measurement-removed' });
});

test('a measurement that is removed is not registered again by itself', async () => {
  await scene.window.add(ruleOf(scene.bench.folder));
  await afterLooks('run-1');
  expect((await asWindow(scene.service, 'DELETE', '/api/v4/measurements/run-1')).status).toBeLessThan(300);
  const skipped = await scene.window.reaches('run-1', 'skipped');
  expect(skipped.reason).toBe('measurement-removed');
  await afterLooks('run-2');
  await afterLooks('run-3');
  expect(await scene.service.services.measurements.byId('run-1')).toBe(null);
  expect(await scene.window.run('run-1')).toMatchObject({ state: 'skipped' });
  await scene.window.act('retry', [skipped.id]);
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({ measurement_id: 'run-1' });
});
