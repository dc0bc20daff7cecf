import { cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRunPage } from '../../../src-main/service/contract/capture/runs.ts';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();

test('thousands of runs from before the rule are skipped, and a new one is registered', async () => {
  for (let number = 0; number < 3000; number += 1) await mkdir(path.join(scene.bench.folder, `old-${number}`));
  await scene.bench.write('old-1/done.txt');
  await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/done.txt');
  await scene.window.reaches('run-1', 'registered');
  const counts = async (): Promise<CaptureRunPage['counts']> =>
    ((await scene.window.call('GET', '/runs?limit=1')).body as CaptureRunPage).counts;
  expect(await counts()).toEqual({ all: 3001, needs_you: 0, waiting: 0, done: 1, skipped: 3000 });
  const old = await scene.window.runs('&filter=skipped');
  expect(new Set(old.map(({ reason }) => reason))).toEqual(new Set(['there-before']));
  const { rows } = await scene.service.services.captureList.page({
    ruleId: null,
    filter: 'done',
    search: '',
    offset: 0,
    limit: 10,
  });
  expect(rows.map(({ name }) => name)).toEqual(['run-1']);
});

test('a share that gets other inodes when it is mounted again is the same, however many runs it has', async () => {
  const { folder } = scene.bench;
  for (let number = 0; number < 2500; number += 1) await mkdir(path.join(folder, `old-${number}`));
  const { id } = await scene.window.add(ruleOf(folder));
  await scene.bench.write('run-1/done.txt');
  await scene.window.reaches('run-1', 'registered');
  await scene.window.call('POST', `/${id}/pause`);
  await cp(folder, `${folder}-again`, { recursive: true, preserveTimestamps: true });
  await rename(folder, `${folder}-before`);
  await rename(`${folder}-again`, folder);
  await scene.window.call('POST', `/${id}/resume`);
  await scene.bench.write('run-2/done.txt');
  await scene.window.reaches('run-2', 'registered');
  const { counts } = (await scene.window.call('GET', '/runs?limit=1')).body as CaptureRunPage;
  expect(counts).toEqual({ all: 2502, needs_you: 0, waiting: 0, done: 2, skipped: 2500 });
  await rm(`${folder}-before`, { recursive: true });
});

test('runs from before the rule are registered where it says so', async () => {
  await scene.bench.write('old/done.txt');
  await scene.window.add(ruleOf(scene.bench.folder, { existing: true }));
  await scene.window.reaches('old', 'registered');
});

test('a rule for the runs of another, or with its name, is refused', async () => {
  const { id } = await scene.window.add(ruleOf(scene.bench.folder));
  expect(await scene.window.call('POST', '', ruleOf(scene.bench.folder, { name: 'other' }))).toMatchObject({
    status: 409,
    body: { type: 'urn:benchport:problem:same-runs', detail: expect.stringContaining('bench 3') as string },
  });
  const files = { unit: 'file', pattern: '*.raw' } as const;
  expect(await scene.window.call('POST', '', ruleOf(scene.bench.folder, { ...files, name: 'Bench 3' }))).toMatchObject({
    status: 409,
    body: { type: 'urn:benchport:problem:name-taken' },
  });
  const second = await scene.window.add(ruleOf(scene.bench.folder, { ...files, name: 'other' }));
  expect((await scene.window.call('PUT', `/${second.id}`, ruleOf(scene.bench.folder, { name: 'other' }))).status).toBe(
    409,
  );
  expect((await scene.window.call('PUT', `/${id}`, ruleOf(scene.bench.folder, { minutes: 1 }))).status).toBe(200);
});

test('a rule that gets another layout begins anew: what is there now is old', async () => {
  const { id } = await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/done.txt');
  await scene.window.reaches('run-1', 'registered');
  await scene.bench.write('alice/run-2/done.txt');
  await scene.window.reaches('alice', 'seen');

  const layout = { layout: '{user}/{name}', owner: '{user}' };
  expect((await scene.window.call('PUT', `/${id}`, ruleOf(scene.bench.folder, layout))).status).toBe(200);
  expect(await scene.window.reaches('alice/run-2', 'skipped')).toMatchObject({ reason: 'there-before' });
  await scene.bench.write('alice/run-3/done.txt');
  await scene.window.reaches('alice/run-3', 'registered');
  // The run of the former layout is no run any more; that it was registered is remembered.
  expect(await scene.window.run('alice')).toBe(undefined);
  expect(await scene.window.run('run-1')).toMatchObject({ state: 'registered', missing: true });
  expect(await scene.service.services.measurements.byId('run-1')).toMatchObject({ state: 'available' });
});
