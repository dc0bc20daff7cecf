import { chmod, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ruleOf, useSharedCapture } from './scene.ts';

const scene = useSharedCapture();

test('a run is registered when its marker comes, and not before', async () => {
  await scene.bench.write('old/data.raw');
  await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/data.raw');
  const waiting = await scene.window.reaches('run-1', 'seen');
  expect(waiting.measurement_id).toBe(null);
  await scene.bench.write('run-1/done.txt');
  const done = await scene.window.reaches('run-1', 'registered');
  expect(done).toMatchObject({ measurement_id: 'run-1', file_count: 2 });
  const measurement = await scene.service.services.measurements.byId('run-1');
  expect(measurement).toMatchObject({ state: 'available', storage: 'reference' });
  expect(await scene.window.run('old')).toMatchObject({ state: 'skipped', reason: 'there-before' });
});

test('a chmod after the end is no change, a new file is one, and a person decides', async () => {
  await chmod(path.join(scene.bench.folder, 'run-1/data.raw'), 0o600);
  await scene.bench.write('run-1/late.txt');
  const changed = await scene.window.reaches('run-1', 'changed-after');
  expect(await scene.window.act('keep', [changed.id])).toMatchObject({ body: { changed: 1 } });
  await scene.window.reaches('run-1', 'registered');
  await writeFile(path.join(scene.bench.folder, 'run-1/late.txt'), 'again');
  const again = await scene.window.reaches('run-1', 'changed-after');
  expect((await scene.window.act('retry', [again.id], { measurement_id: 'run-1' })).status).toBe(409);
  expect(await scene.window.act('retry', [again.id], { measurement_id: 'run-1-b' })).toMatchObject({
    body: { changed: 1 },
  });
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({ measurement_id: 'run-1-b' });
});

test('a registered run that is renamed is not registered twice', async () => {
  await rename(path.join(scene.bench.folder, 'run-1'), path.join(scene.bench.folder, 'run-1-done'));
  const renamed = await scene.window.reaches('run-1-done', 'registered');
  expect(renamed.measurement_id).toBe('run-1-b');
  expect(await scene.window.run('run-1')).toBe(undefined);
});

test('a taken id asks a person', async () => {
  await scene.bench.write('run-1-b/data.raw');
  await scene.bench.write('run-1-b/done.txt');
  const asks = await scene.window.reaches('run-1-b', 'needs-you');
  expect(asks.reason).toBe('id-taken');
  await scene.window.act('retry', [asks.id], { measurement_id: 'run-2' });
  expect(await scene.window.reaches('run-1-b', 'registered')).toMatchObject({ measurement_id: 'run-2' });
});
