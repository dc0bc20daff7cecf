import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { isAlive, thisProcess } from '../../../src-main/service/jobs/job-process.ts';
import { asWindow } from '../as-window.ts';
import { jobIn, makeFiles, sparseFile, startWithFolder } from '../measurements/registration/support.ts';
import { engineOfTests, startTestService, type TestService } from '../start.ts';
import { useFreshWorld } from '../use-service.ts';

const service = useFreshWorld(startWithFolder);

beforeEach(async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha' });
});

async function enqueue(id?: string): Promise<Job> {
  return (
    await asWindow(service, 'POST', '/api/v4/local/registrations', {
      path: service.run,
      ...(id === undefined ? {} : { id }),
    })
  ).body as Job;
}

test('jobs of a kind wait for each other; a waiting one can be paused, resumed and cancelled', async () => {
  await sparseFile(path.join(service.run, 'big.bin'), 500_000_000);
  const [first, second, third] = [await enqueue('one'), await enqueue('two'), await enqueue('three')];
  const act = async (job: Job, action: string) =>
    (await asWindow(service, 'POST', `/api/v4/jobs/${job.id}`, { action })).body as Job;
  await jobIn(service, first.id, 'running');
  expect(await act(second, 'pause')).toMatchObject({ state: 'paused' });
  expect(await act(third, 'cancel')).toMatchObject({ state: 'cancelled' });
  expect(await service.services.measurements.byId('three')).toBeNull();
  expect(await act(second, 'resume')).toMatchObject({ state: 'queued' });
  const active = (await asWindow(service, 'GET', '/api/v4/jobs?state=active')).body as Job[];
  expect(active.map((job) => job.id)).toEqual([second.id, first.id]);
  expect(await act(first, 'cancel')).toMatchObject({ state: 'cancelled' });
  await jobIn(service, second.id, 'done');
  const ended = (await asWindow(service, 'GET', '/api/v4/jobs?state=ended')).body as Job[];
  expect(ended.map((job) => [job.id, job.state])).toEqual([
    [third.id, 'cancelled'],
    [second.id, 'done'],
    [first.id, 'cancelled'],
  ]);
});

test('in the window, a failed job is retried as a new one with the same name and title', async () => {
  await rm(path.join(service.run, 'a.txt'));
  await symlink('/nowhere', path.join(service.run, 'a.txt'));
  const asked = { path: service.run, id: 'again', title: 'Once more' };
  const first = (await asWindow(service, 'POST', '/api/v4/local/registrations', asked)).body as Job;
  const failed = await jobIn(service, first.id, 'failed');
  const url = `/api/v4/jobs/${failed.id}`;
  const bob = { authorization: `Bearer ${await service.token(1, ['api'])}`, 'content-type': 'application/json' };
  expect((await fetch(service.url + url, { method: 'POST', headers: bob, body: '{"action":"retry"}' })).status).toBe(
    403,
  );
  await rm(path.join(service.run, 'a.txt'));
  await makeFiles(service.run, { 'a.txt': 'alpha' });
  const next = (await asWindow(service, 'POST', url, { action: 'retry' })).body as Job;
  expect(next).toMatchObject({ kind: 'register', measurement_id: 'again' });
  expect(next.id).not.toBe(first.id);
  await jobIn(service, next.id, 'done');
  expect(await service.services.measurements.byId('again')).toMatchObject({
    title: 'Once more',
    state: 'available',
    file_count: 1,
  });
  expect(await service.services.jobs.byId(first.id)).toMatchObject({ state: 'cancelled' });
  for (const id of [first.id, next.id])
    expect((await asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action: 'retry' })).status).toBe(409);
});

test('a failed verification is retried by whoever started it', async () => {
  await jobIn(service, (await enqueue('run')).id, 'done');
  const job = await service.services.jobs.create({
    kind: 'verify',
    measurementId: 'run',
    userId: 1,
    parameters: { bytesPerSecond: null },
  });
  await service.services.jobs.interrupt(job.id, 'The disk was away.');
  const headers = { authorization: `Bearer ${await service.token(1, ['api'])}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/api/v4/jobs/${job.id}`, {
    method: 'POST',
    headers,
    body: '{"action":"retry"}',
  });
  expect(answer.status).toBe(200);
  await jobIn(service, ((await answer.json()) as Job).id, 'done');
});

test('others do not see a job, and cannot steer it', async () => {
  const job = await enqueue();
  await jobIn(service, job.id, 'done');
  const bob = await service.user('bob');
  const headers = { authorization: `Bearer ${await service.token(bob, ['api'])}`, 'content-type': 'application/json' };
  expect(await (await fetch(`${service.url}/api/v4/jobs`, { headers })).json()).toEqual([]);
  expect((await fetch(`${service.url}/api/v4/jobs/${job.id}`, { headers })).status).toBe(404);
  expect(
    (await fetch(`${service.url}/api/v4/jobs/${job.id}`, { method: 'POST', headers, body: '{"action":"cancel"}' }))
      .status,
  ).toBe(404);
  expect((await fetch(`${service.url}/api/v4/jobs`)).status).toBe(401);
  const weak = { authorization: `Bearer ${await service.token(1, ['read_api'])}`, 'content-type': 'application/json' };
  expect((await fetch(`${service.url}/api/v4/jobs/${job.id}`, { headers: weak })).status).toBe(200);
  expect(
    (
      await fetch(`${service.url}/api/v4/jobs/${job.id}`, {
        method: 'POST',
        headers: weak,
        body: '{"action":"cancel"}',
      })
    ).status,
  ).toBe(403);
});

test.each(['/api/v4/jobs/0', '/api/v4/jobs/-1', '/api/v4/jobs/1e99', '/api/v4/jobs/abc', '/api/v4/jobs/999'])(
  '%s is no job',
  async (url) => {
    const { status } = await asWindow(service, 'GET', url);
    expect([400, 404]).toContain(status);
  },
);

test('progress is announced immediately, at most four times a second, and the end always', async () => {
  await sparseFile(path.join(service.run, 'big.bin'), 800_000_000);
  const seen: { readonly at: number; readonly job: Job }[] = [];
  service.services.events.subscribe((name, event) => {
    if (name === 'job') seen.push({ at: performance.now(), job: event as Job });
  });
  const job = await enqueue();
  await jobIn(service, job.id, 'done');
  while (seen.at(-1)?.job.state !== 'done') await new Promise((resolve) => setTimeout(resolve, 20));
  const elapsed = (seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0);
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.length).toBeLessThanOrEqual(elapsed / 250 + 2);
  const bytes = seen.map((one) => one.job.bytes_done);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  expect(bytes.at(-1)).toBe(800_000_005);
});

// Replicas are known by their leases instead (jobs-of-replicas.test.ts).
if (engineOfTests === 'sqlite')
  test('a job that another living process works on is left to it; after that process has died, it is taken over', async () => {
    const { services } = service;
    const other = spawn('sleep', ['600']);
    await once(other, 'spawn');
    const name = await nameOf(other.pid ?? 0);
    expect([
      isAlive(name),
      isAlive(thisProcess()),
      isAlive('4194305 1 x'),
      isAlive(`${other.pid} 1 x`),
      isAlive(null),
      isAlive('-1'),
    ]).toEqual([true, true, false, false, false, false]);
    await services.registrations.reserve({
      id: 'theirs',
      title: 'theirs',
      ownerId: 1,
      storage: 'reference',
      root: service.run,
    });
    const job = await services.jobs.create({
      kind: 'register',
      measurementId: 'theirs',
      userId: 1,
      parameters: { path: service.run, kind: 'folder', copy: false },
    });
    await services.jobs.start(job.id, name);
    await service.stop();

    const second = await startTestService({ dataDir: services.config.dataDir });
    await jobIn(second, (await enqueueOn(second)).id, 'done');
    expect(await second.services.jobs.byId(job.id)).toMatchObject({ state: 'running' });
    await second.end();

    other.kill('SIGKILL');
    await once(other, 'exit');
    const third = await startTestService({ dataDir: services.config.dataDir });
    try {
      await jobIn(third, job.id, 'done');
      expect(await third.services.measurements.byId('theirs')).toMatchObject({ state: 'available', file_count: 1 });
    } finally {
      await third.end();
    }
  });

async function enqueueOn(running: TestService): Promise<Job> {
  return (await asWindow(running, 'POST', '/api/v4/local/registrations', { path: service.run })).body as Job;
}

async function nameOf(pid: number): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]} ${(await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).trim()}`;
}

test('a job that was cancelled in the database by another process stops', async () => {
  await sparseFile(path.join(service.run, 'big.bin'), 4_000_000_000);
  const job = await enqueue();
  await jobIn(service, job.id, 'running');
  expect(await service.services.jobs.act(job.id, 'cancel', 'Cancelled')).toBe(true);
  while (await service.services.measurements.byId('run')) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await service.services.jobs.byId(job.id)).toMatchObject({ state: 'cancelled' });
});

test('ended jobs are kept for thirty days; a job that has not ended stays', async () => {
  const { jobs } = service.services;
  const ended = await enqueue('one');
  await jobIn(service, ended.id, 'done');
  const waiting = await jobs.create({ kind: 'verify', measurementId: 'one', userId: null, parameters: {} });
  const day = 86_400_000;
  expect(await jobs.purgeSome(Date.now() + 29 * day)).toBe(false);
  expect(await jobs.byId(ended.id)).not.toBeNull();
  await jobs.purgeSome(Date.now() + 31 * day);
  expect(await jobs.byId(ended.id)).toBeNull();
  expect(await jobs.byId(waiting.id)).not.toBeNull();
});
