import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { giveToDeadReplica } from '../../beside-context.ts';
import { startTestService } from '../../start.ts';
import { asWindow } from '../../as-window.ts';
import { jobIn, makeFiles, register, sparseFile } from '../registration/support.ts';
import { run, same, useExports } from './export-scene.ts';

const scene = useExports();
const { service, writing } = scene;

test.each(['folder', 'zip'])('cancelling an export as %s removes what was written', async (format) => {
  await sparseFile(path.join(service.run, 'huge.bin'), 600_000_000);
  await register(service, { path: service.run });
  const { body } = await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', {
    directory: scene.target,
    format,
  });
  await writing(service, (body as Job).id);
  expect((await readdir(scene.target))[0]).toMatch(/^run\.[0-9a-f]{8}\.partial$/);
  expect(
    (await asWindow(service, 'POST', `/api/v4/jobs/${(body as Job).id}`, { action: 'cancel' })).body,
  ).toMatchObject({ state: 'cancelled' });
  expect(await readdir(scene.target)).toEqual([]);
});

test.each(['folder', 'zip'])('an export as %s waits in place while it is paused', async (format) => {
  await sparseFile(path.join(service.run, 'huge.bin'), 200_000_000);
  await makeFiles(service.run, { 'z.txt': 'last' });
  await register(service, { path: service.run });
  const { body } = await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', {
    directory: scene.target,
    format,
  });
  const { id } = body as Job;
  await writing(service, id);
  const act = async (action: string) => (await asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action })).body as Job;
  expect(await act('pause')).toMatchObject({ state: 'paused', bytes_per_second: 0 });
  expect((await readdir(scene.target))[0]).toMatch(/\.partial$/);
  expect(await act('resume')).toMatchObject({ state: 'running' });
  const job = await jobIn(service, id, 'done', 'failed');
  expect(job).toMatchObject({ state: 'done', files_done: 6 });
  if (format === 'folder') await same(service.run, job.result ?? '');
  else await run('unzip', ['-tq', job.result ?? '']);
});

test('an export that a killed service left unfinished is marked failed and removed at the next start', async () => {
  await register(service, { path: service.run });
  const { services } = service;
  const partial = path.join(scene.target, 'run.0a1b2c3d.partial');
  await makeFiles(partial, { 'half.bin': 'half' });
  const job = await services.jobs.create({
    kind: 'export',
    measurementId: 'run',
    userId: 1,
    parameters: { directory: scene.target, format: 'folder', partial },
  });
  await services.jobs.start(job.id, '4194305 1 gone');
  giveToDeadReplica(service, 'jobs');
  await service.stop();
  const again = await startTestService({ dataDir: services.config.dataDir });
  try {
    await expect
      .poll(async () => again.services.jobs.byId(job.id), { timeout: 30_000 })
      .toMatchObject({
        state: 'failed',
        message: 'The service was stopped before this had finished. Start it again.',
      });
    expect(await readdir(scene.target)).toEqual([]);
  } finally {
    await again.end();
  }
});

test('unsuitable destinations are refused at once', async () => {
  await register(service, { path: service.run });
  for (const [directory, status] of [
    [path.join(service.files, 'nowhere'), 422],
    [path.join(service.run, 'a.txt'), 422],
    ['relative', 422],
    [service.services.config.dataDir, 422],
  ] as const) {
    expect(
      (await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', { directory, format: 'zip' })).status,
    ).toBe(status);
  }
  expect(
    (
      await asWindow(service, 'POST', '/api/v4/local/measurements/other/exports', {
        directory: scene.target,
        format: 'zip',
      })
    ).status,
  ).toBe(404);
});

test.each(['folder', 'zip'])('a measurement that is removed during its export as %s fails it', async (format) => {
  await sparseFile(path.join(service.run, 'huge.bin'), 300_000_000);
  await register(service, { path: service.run });
  const { body } = await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', {
    directory: scene.target,
    format,
  });
  await writing(service, (body as Job).id);
  expect((await asWindow(service, 'DELETE', '/api/v4/measurements/run')).status).toBe(204);
  expect(await jobIn(service, (body as Job).id, 'failed', 'done')).toMatchObject({
    state: 'failed',
    message: 'The measurement was removed.',
  });
  expect(await readdir(scene.target)).toEqual([]);
});
