import { appendFile, mkdir, rename, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureHistory } from '../../../src-main/service/contract/capture/runs.ts';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../as-window.ts';
import { registered, sparseFile } from '../measurements/registration/support.ts';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();
const mebibyte = 1024 * 1024;

test.each([
  ['a new file', false, async (run: string) => appendFile(path.join(run, 'late.txt'), 'late')],
  ['a file that grows', false, async (run: string) => appendFile(path.join(run, 'data.raw'), 'late')],
  ['a new file, while it is copied', true, async (run: string) => appendFile(path.join(run, 'late.txt'), 'late')],
  ['a file that grows, while it is copied', true, async (run: string) => appendFile(path.join(run, 'big.raw'), 'late')],
])('%s during the registration sends the run back, and it is registered once, whole', async (_what, copy, change) => {
  const run = path.join(scene.bench.folder, 'run-1');
  await scene.window.add(ruleOf(scene.bench.folder, { copy }));
  await mkdir(run);
  await sparseFile(path.join(run, 'big.raw'), (copy ? 192 : 768) * mebibyte);
  await scene.bench.write('run-1/data.raw');
  await utimes(path.join(run, 'data.raw'), 1_700_000_000, 1_700_000_000);
  await scene.bench.write('run-1/done.txt');
  await scene.window.reaches('run-1', 'hashing');
  await change(run);
  await scene.window.reaches('run-1', 'growing');
  const { id } = await scene.window.reaches('run-1', 'registered');
  await registered(scene.service, 'run-1', run);

  const history = (await scene.window.call('GET', `/runs/${id}/history`)).body as CaptureHistory;
  const states = history.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`)).toReversed();
  expect(states.filter((state) => state.startsWith('growing'))).toContain('growing changed');
  expect(states.filter((state) => state === 'registered')).toHaveLength(1);
  const jobs = (await asWindow(scene.service, 'GET', '/api/v4/jobs')).body as readonly Job[];
  expect(jobs.filter(({ kind }) => kind === 'register').map(({ state }) => state)).toEqual(['done', 'cancelled']);
  const measurements = (await asWindow(scene.service, 'GET', '/api/v4/measurements')).body;
  expect(measurements).toMatchObject([{ id: 'run-1' }]);
});

test.each([false, true])(
  'a run that is renamed during the registration is registered once (copied: %s)',
  async (copy) => {
    const run = path.join(scene.bench.folder, 'run-1');
    await scene.window.add(ruleOf(scene.bench.folder, { copy }));
    await mkdir(run);
    await sparseFile(path.join(run, 'big.raw'), (copy ? 192 : 768) * mebibyte);
    await scene.bench.write('run-1/done.txt');
    await scene.window.reaches('run-1', 'hashing');
    await rename(run, path.join(scene.bench.folder, 'run-2'));
    const { measurement_id: id } = await scene.window.reaches('run-2', 'registered');
    expect(await scene.window.run('run-1')).toBe(undefined);
    const measurements = (await asWindow(scene.service, 'GET', '/api/v4/measurements')).body;
    expect(measurements).toMatchObject([{ id }]);
    expect((await asWindow(scene.service, 'GET', '/api/v4/jobs?state=active')).body).toEqual([]);
  },
);
