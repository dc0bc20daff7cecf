import { readdir, readFile, rename, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Staged } from '../../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../../as-window.ts';
import { jobIn, makeFiles, register } from '../registration/support.ts';
import { useExports } from './export-scene.ts';

const { service } = useExports();

async function staged(body: object): Promise<Staged> {
  return (await asWindow(service, 'POST', '/api/v4/local/measurements/run/stage', body)).body as Staged;
}

test('files registered by reference are dragged in place', async () => {
  await register(service, { path: service.run });
  expect(await staged({ index: 0 })).toEqual({ path: path.join(service.run, 'a.txt'), job: null });
  expect(await staged({})).toEqual({ path: service.run, job: null });
  await makeFiles(service.run, { 'added later.txt': 'x' });
  const answer = await staged({});
  expect(answer.path).toBeNull();
  const job = await jobIn(service, answer.job?.id ?? 0, 'done', 'failed');
  expect(job.result).toBe(path.join(service.services.paths.staging, 'run/all/run'));
  expect((await readdir(job.result ?? '', { recursive: true })).toSorted()).toEqual([
    'a.txt',
    'big.bin',
    'deep',
    'deep/er',
    'deep/er/ü 100%.csv',
    'empty.dat',
  ]);
  await makeFiles(service.run, { 'a.txt': 'alphabet' });
  expect((await asWindow(service, 'POST', '/api/v4/local/measurements/run/stage', { index: 0 })).status).toBe(409);
});

test('a file that was replaced by a link is not dragged, because the link could lead to any similar file', async () => {
  await register(service, { path: service.run });
  await rename(path.join(service.run, 'a.txt'), path.join(service.run, 'elsewhere.txt'));
  await symlink('elsewhere.txt', path.join(service.run, 'a.txt'));
  expect((await asWindow(service, 'POST', '/api/v4/local/measurements/run/stage', { index: 0 })).status).toBe(409);
});

test('a measurement of one file is dragged as this file', async () => {
  await register(service, { path: path.join(service.run, 'a.txt'), id: 'run' });
  expect(await staged({})).toEqual({ path: path.join(service.run, 'a.txt'), job: null });
});

test('files of the library are staged under their names, once, and not as links to the objects', async () => {
  await register(service, { path: service.run, copy: true });
  const answer = await staged({ index: 2 });
  const job = await jobIn(service, answer.job?.id ?? 0, 'done', 'failed');
  expect(path.basename(job.result ?? '')).toBe('ü 100%.csv');
  expect(await readFile(job.result ?? '', 'utf8')).toBe('1,2\n');
  expect((await stat(job.result ?? '')).nlink).toBe(1);
  expect(await staged({ index: 2 })).toEqual({ path: job.result, job: null });
  expect((await asWindow(service, 'POST', '/api/v4/local/measurements/run/stage', { index: 9 })).status).toBe(404);
});
