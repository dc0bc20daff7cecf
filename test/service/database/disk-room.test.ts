import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { resumeWhenSpaceFreed } from '../../../src-main/service/measurements/registration/resume-when-space-freed.ts';
import { jobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { works } from '../../../src-main/service/jobs-module.ts';
import type { ServiceStatus } from '../../../src-main/service/contract/service.ts';
import { asWindow } from '../as-window.ts';
import { mayMount } from '../may-mount.ts';
import { jobIn, makeFiles, register } from '../measurements/registration/support.ts';
import { startTestService } from '../start.ts';
import { useFreshWorld } from '../use-service.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
let minFreeBytes: number;

/**
 * A service on a small disk of its own. Without the right to mount one, the test moves the minimum
 * of free space from nothing to more than the disk has.
 */
async function startOnSmallDisk() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-room-'));
  const disk = path.join(dir, 'disk');
  await mkdir(disk);
  if (mayMount) await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'benchport-test', disk]);
  minFreeBytes = mayMount ? 24 * mebibyte : 0;
  const service = await startTestService({ dataDir: path.join(disk, 'data') });
  Object.defineProperty(service.services.diskSpace, 'minFreeBytes', { get: () => minFreeBytes });
  const end = async () => {
    await service.end();
    if (mayMount) await run('umount', ['--lazy', disk]);
    await rm(dir, { recursive: true, force: true });
  };
  return { service, dir, disk, end };
}

const world = useFreshWorld(startOnSmallDisk);

async function fill(): Promise<void> {
  if (mayMount) await writeFile(path.join(world.disk, 'filler'), Buffer.alloc(45 * mebibyte));
  else minFreeBytes = Number.MAX_SAFE_INTEGER;
  await world.service.services.diskSpace.check();
}

async function empty(): Promise<void> {
  if (mayMount) await rm(path.join(world.disk, 'filler'));
  else minFreeBytes = 0;
  await world.service.services.diskSpace.check();
}

const status = async (): Promise<ServiceStatus> =>
  (await asWindow(world.service, 'GET', '/api/v4/service')).body as ServiceStatus;

test('below the minimum of free space writes that grow are refused and all else works; with space they work again', async () => {
  const alice = await world.service.user('alice', true);
  const api = { authorization: `Bearer ${await world.service.token(alice, ['api'])}` };
  await makeFiles(path.join(world.dir, 'run'), { 'a.txt': 'ten bytes.' });
  await makeFiles(path.join(world.dir, 'large'), { 'a.bin': Buffer.alloc(12 * mebibyte, 1) });
  await register(world.service, { path: path.join(world.dir, 'run'), id: 'run', copy: true });
  const project = (await asWindow(world.service, 'POST', '/api/v4/projects', { path: 'bench', name: 'Bench' }))
    .body as {
    id: number;
  };
  await asWindow(world.service, 'PUT', `/api/v4/projects/${project.id}/error_tracking/settings`, {
    active: true,
    integrated: true,
  });
  const key = (await asWindow(world.service, 'POST', `/api/v4/projects/${project.id}/error_tracking/client_keys`))
    .body as {
    public_key: string;
  };
  const send = async () =>
    fetch(
      `${world.service.url}/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=${key.public_key}`,
      {
        method: 'POST',
        body: JSON.stringify({ event_id: crypto.randomUUID().replaceAll('-', ''), message: 'broken' }),
      },
    );
  const first = await send();
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('id')]);

  const told: unknown[] = [];
  world.service.services.events.subscribe((_name, event) => told.push(event));
  await fill();
  expect(told).toContainEqual({ topic: 'service' });
  expect(await status()).toMatchObject({ disk_low: true });
  const copied = await asWindow(world.service, 'POST', '/api/v4/local/registrations', {
    path: path.join(world.dir, 'large'),
    copy: true,
  });
  expect(copied).toMatchObject({
    status: 507,
    body: { type: 'urn:benchport:problem:disk-almost-full', detail: expect.stringContaining('is kept free') as string },
  });
  const event = await send();
  expect([event.status, event.headers.get('retry-after')]).toEqual([429, '60']);
  expect((await fetch(`${world.service.url}/-/readiness`)).status).toBe(503);

  // These need no space: serving, signing in, registering by reference and revoking.
  expect(await (await fetch(`${world.service.url}/measurements/run/files/0`, { headers: api })).text()).toBe(
    'ten bytes.',
  );
  await makeFiles(path.join(world.dir, 'other'), { 'b.txt': 'beside' });
  expect(await register(world.service, { path: path.join(world.dir, 'other'), id: 'beside' })).toMatchObject({
    state: 'done',
  });
  const made = (
    await asWindow(world.service, 'POST', '/api/v4/user/personal_access_tokens', {
      name: 'reader',
      scopes: ['read_api'],
    })
  ).body as {
    id: number;
    token: string;
  };
  const ask = async () =>
    (await fetch(`${world.service.url}/api/v4/measurements`, { headers: { authorization: `Bearer ${made.token}` } }))
      .status;
  expect(await ask()).toBe(200);
  expect((await asWindow(world.service, 'DELETE', `/api/v4/personal_access_tokens/${made.id}`)).status).toBe(204);
  expect(await ask()).toBe(401);

  await empty();
  expect(await status()).toMatchObject({ disk_low: false });
  expect((await send()).status).toBe(200);
  expect(await register(world.service, { path: path.join(world.dir, 'large'), id: 'large', copy: true })).toMatchObject(
    {
      state: 'done',
    },
  );
});

test('a registration that waits for space continues by itself when there is some', async () => {
  await world.service.user('alice', true);
  await makeFiles(path.join(world.dir, 'large'), { 'a.bin': Buffer.alloc(12 * mebibyte, 1) });
  const refuse = world.service.services.diskSpace.require.bind(world.service.services.diskSpace);
  // The disk runs full between the request and the job.
  world.service.services.diskSpace.require = async () => fill();
  const job = await register(world.service, { path: path.join(world.dir, 'large'), id: 'large', copy: true });
  world.service.services.diskSpace.require = refuse;
  expect(job).toMatchObject({
    state: 'paused',
    message: expect.stringContaining('it then continues automatically') as string,
  });
  const runner = jobRunner(world.service.services, works);
  expect(await resumeWhenSpaceFreed(world.service.services, runner)).toBe(0);
  await empty();
  expect(await resumeWhenSpaceFreed(world.service.services, runner)).toBe(1);
  expect(await jobIn(world.service, job.id, 'done')).toMatchObject({ measurement_id: 'large' });
  await runner.stop();
});
