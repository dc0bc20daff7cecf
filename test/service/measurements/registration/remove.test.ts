import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { removeMeasurement } from '../../../../src-main/service/measurements/registration/remove.ts';
import { engineOfTests, startTestService } from '../../start.ts';
import { asWindow } from '../../as-window.ts';
import { makeFiles, register, registered, startWithFolder } from './support.ts';
import { useFreshWorld } from '../../use-service.ts';

const service = useFreshWorld(startWithFolder);

beforeEach(async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha', 'b.txt': 'bravo' });
});

async function objects(): Promise<number> {
  const found = await readdir(service.services.paths.library, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).length;
}

test('objects are removed with the last measurement that needs them', async () => {
  await register(service, { path: service.run, copy: true });
  await makeFiles(service.run, { 'c.txt': 'charlie' });
  await register(service, { path: service.run, copy: true });
  expect(await objects()).toBe(3);
  expect(await removeMeasurement(service.services, 'run-2')).toBe(true);
  expect(await objects()).toBe(2);
  expect(await service.services.measurements.byId('run-2')).toBeNull();
  expect(await removeMeasurement(service.services, 'run')).toBe(true);
  expect(await objects()).toBe(0);
  expect(await readdir(service.services.paths.manifests)).toEqual([]);
  expect(await removeMeasurement(service.services, 'run')).toBe(false);
});

test('referenced files are kept', async () => {
  await register(service, { path: service.run });
  expect((await asWindow(service, 'DELETE', '/api/v4/measurements/run')).status).toBe(204);
  await access(path.join(service.run, 'a.txt'));
  expect((await asWindow(service, 'GET', '/api/v4/measurements/run')).status).toBe(404);
});

test('an interrupted removal or registration is completed at the next start, and stray objects are removed', async () => {
  await register(service, { path: service.run, copy: true });
  await register(service, { path: service.run, copy: true });
  const { services } = service;
  await services.registrations.hide('run-2');
  await services.registrations.dropFiles('run-2', 1, null);
  await makeFiles(path.join(services.paths.library, 'objects/ff'), { ['f'.repeat(64)]: 'stray' });
  const owner = engineOfTests === 'sqlite' ? '4194305' : 'r0';
  await makeFiles(path.join(services.paths.library, 'incoming'), { [`${owner}-1-1`]: 'half' });
  await makeFiles(path.join(services.paths.staging, 'run'), { 'a.txt': 'old' });
  await service.stop();
  const again = await startTestService({ dataDir: services.config.dataDir });
  try {
    // Of replicas, the one that leads removes it.
    await expect.poll(async () => again.services.measurements.byId('run-2'), { timeout: 30_000 }).toBeNull();
    await registered(again, 'run', service.run);
    while ((await objects()) > 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(access(services.paths.staging)).rejects.toThrow('ENOENT');
  } finally {
    await again.end();
  }
});
