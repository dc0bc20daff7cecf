import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { registered, sparseFile } from '../measurements/registration/support.ts';
import { until } from '../until.ts';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();
const away = (): string => `${scene.bench.folder}-away`;

afterEach(async () => rm(away(), { recursive: true, force: true }));

/** A rule with a run of each kind: old, registered, and waiting. */
async function watched(): Promise<number> {
  await scene.bench.write('old/data.raw');
  const { id } = await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/data.raw');
  await scene.bench.write('run-1/done.txt');
  await scene.bench.write('run-2/data.raw');
  await scene.window.reaches('run-1', 'registered');
  await scene.window.reaches('run-2', 'seen');
  return id;
}

async function states(): Promise<readonly string[]> {
  const runs = await scene.window.runs();
  return runs.map(({ name, state, missing }) => `${name} ${state}${missing ? ' missing' : ''}`).toSorted();
}

test('a share that goes away keeps its runs, also while an empty folder is in its place, and goes on when it is back', async () => {
  const id = await watched();
  const before = await states();
  await rename(scene.bench.folder, away());
  expect((await scene.window.ruleReaches(id, 'unreachable')).message).toMatch(/^It cannot be read: /);
  expect(await states()).toEqual(before);

  await mkdir(scene.bench.folder);
  await until(
    async () => (await scene.window.rule(id)).message?.startsWith('An empty folder is there now') === true,
    'the empty folder is noticed',
  );
  expect(await scene.window.rule(id)).toMatchObject({ state: 'unreachable' });
  expect(await states()).toEqual(before);

  await rmdir(scene.bench.folder);
  await rename(away(), scene.bench.folder);
  expect((await scene.window.ruleReaches(id, 'watching')).message).toBe(null);
  expect(await states()).toEqual(before);
  await scene.bench.write('run-2/done.txt');
  await scene.window.reaches('run-2', 'registered');
  expect(await scene.service.services.measurements.byId('run-2')).toMatchObject({ state: 'available' });
});

test('another folder in its place is watched only after the rule is saved', async () => {
  const id = await watched();
  await rename(scene.bench.folder, away());
  await mkdir(path.join(scene.bench.folder, 'run-3'), { recursive: true });
  await writeFile(path.join(scene.bench.folder, 'run-3/done.txt'), 'x');
  await until(
    async () => (await scene.window.rule(id)).message?.startsWith('Another folder is there now') === true,
    'the other folder is noticed',
  );
  expect(await scene.window.run('run-3')).toBe(undefined);

  expect((await scene.window.call('PUT', `/${id}`, ruleOf(scene.bench.folder))).status).toBe(200);
  await scene.window.reaches('run-3', 'registered');
  expect(await states()).toEqual(['run-1 registered missing', 'run-3 registered']);
  expect(await scene.window.rule(id)).toMatchObject({ state: 'watching', message: null });
});

test.each([
  ['before its fields are read', 'settle'],
  ['when its registration begins', 'start'],
])('a share that goes away %s is no fault of the run, which is registered when it is back', async (_when, event) => {
  const fields = [{ name: 'sample', from: 'done.txt', key: 'sample' }];
  const { id } = await scene.window.add(ruleOf(scene.bench.folder, { fields, id_template: '{sample}-{name}' }));
  const { captureRuns } = scene.service.services;
  const apply = captureRuns.apply.bind(captureRuns);
  let isLost = false;
  vi.spyOn(captureRuns, 'apply').mockImplementation(async (run, applied, ...rest) => {
    if (applied === event && !isLost) await rename(scene.bench.folder, away());
    isLost ||= applied === event;
    return apply(run, applied, ...rest);
  });
  await scene.bench.write('run-1/data.raw');
  await scene.bench.write('run-1/done.txt', 'sample: QMR-7');
  await scene.window.ruleReaches(id, 'unreachable');
  expect(await scene.window.run('run-1')).toMatchObject({ state: expect.not.stringContaining('needs-you') as string });
  await rename(away(), scene.bench.folder);
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({ measurement_id: 'QMR-7-run-1' });
});

test.each([false, true])(
  'a share that goes away while a run is registered only delays it (copied: %s)',
  async (copy) => {
    const { id } = await scene.window.add(ruleOf(scene.bench.folder, { copy }));
    const run = path.join(scene.bench.folder, 'run-1');
    await scene.bench.write('run-1/data.raw');
    for (const file of ['big-1.raw', 'big-2.raw', 'big-3.raw'])
      await sparseFile(path.join(run, file), (copy ? 128 : 256) * 1024 * 1024);
    await scene.bench.write('run-1/done.txt');
    await scene.window.reaches('run-1', 'hashing');
    await rename(scene.bench.folder, away());
    await scene.window.ruleReaches(id, 'unreachable');
    await until(async () => {
      const jobs = await scene.service.services.jobs.ofMeasurement('run-1');
      // None if the share went before there was one.
      return jobs.every(({ state }) => state !== 'queued' && state !== 'running');
    }, 'its job stands still');
    await rename(away(), scene.bench.folder);
    await scene.window.reaches('run-1', 'registered');
    await registered(scene.service, 'run-1', run);
  },
);
