import { chmod, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../start.ts';
import { captureWindow, instrumentFolder, lookEveryMs, ruleOf } from './scene.ts';

let service: TestService;
let bench: Awaited<ReturnType<typeof instrumentFolder>>;
let window: ReturnType<typeof captureWindow>;

beforeAll(async () => {
  service = await startTestService({ lookEveryMs, database: null });
  await service.user('alice', true);
  bench = await instrumentFolder();
  window = captureWindow(service);
});
afterAll(async () => {
  await service.end();
  await bench.remove();
});

test('a run is registered when its marker comes, and not before', async () => {
  await bench.write('old/data.raw');
  await window.add(ruleOf(bench.folder));
  await bench.write('run-1/data.raw');
  const waiting = await window.reaches('run-1', 'seen');
  expect(waiting.measurement_id).toBe(null);
  await bench.write('run-1/done.txt');
  const done = await window.reaches('run-1', 'registered');
  expect(done).toMatchObject({ measurement_id: 'run-1', file_count: 2 });
  const measurement = await service.services.measurements.byId('run-1');
  expect(measurement).toMatchObject({ state: 'available', storage: 'reference' });
  expect(await window.run('old')).toMatchObject({ state: 'skipped', reason: 'there-before' });
});

test('a chmod after the end is no change, a new file is one, and a person decides', async () => {
  await chmod(path.join(bench.folder, 'run-1/data.raw'), 0o600);
  await bench.write('run-1/late.txt');
  const changed = await window.reaches('run-1', 'changed-after');
  expect(await window.act('keep', [changed.id])).toMatchObject({ body: { changed: 1 } });
  await window.reaches('run-1', 'registered');
  await writeFile(path.join(bench.folder, 'run-1/late.txt'), 'again');
  const again = await window.reaches('run-1', 'changed-after');
  expect((await window.act('retry', [again.id], { measurement_id: 'run-1' })).status).toBe(409);
  expect(await window.act('retry', [again.id], { measurement_id: 'run-1-b' })).toMatchObject({ body: { changed: 1 } });
  expect(await window.reaches('run-1', 'registered')).toMatchObject({ measurement_id: 'run-1-b' });
});

test('a registered run that is renamed is not registered twice', async () => {
  await rename(path.join(bench.folder, 'run-1'), path.join(bench.folder, 'run-1-done'));
  const renamed = await window.reaches('run-1-done', 'registered');
  expect(renamed.measurement_id).toBe('run-1-b');
  expect(await window.run('run-1')).toBe(undefined);
});

test('a taken id asks a person', async () => {
  await bench.write('run-1-b/data.raw');
  await bench.write('run-1-b/done.txt');
  const asks = await window.reaches('run-1-b', 'needs-you');
  expect(asks.reason).toBe('id-taken');
  await window.act('retry', [asks.id], { measurement_id: 'run-2' });
  expect(await window.reaches('run-1-b', 'registered')).toMatchObject({ measurement_id: 'run-2' });
});
