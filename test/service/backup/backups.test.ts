import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BackupState } from '../../../src-main/service/contract/backups.ts';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { backUpIfDue, nextBackupAt } from '../../../src-main/service/backup/backup-schedule.ts';
import { finishSwitch } from '../../../src-main/service/backup/switch-data.ts';
import { jobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { works } from '../../../src-main/service/jobs-module.ts';
import { asWindow } from '../as-window.ts';
import { jobIn, makeFiles, register } from '../measurements/registration/support.ts';
import { startTestService, type TestService } from '../start.ts';

const day = 86_400_000;
// Threads start from the sources in tests, which takes long on a busy machine.
const polling = { timeout: 30_000 };
let service: TestService;
let restarts: number;
let dir: string;
let disk: string;

beforeEach(async () => {
  restarts = 0;
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-backups-'));
  service = await startTestService({ dataDir: path.join(dir, 'data'), restart: () => (restarts += 1) });
  await service.user('alice', true);
  disk = path.join(dir, 'disk');
  await makeFiles(path.join(dir, 'run'), { 'a.txt': 'alpha', 'b.bin': Buffer.alloc(300_000, 3) });
  await mkdir(disk);
  await register(service, { path: path.join(dir, 'run'), id: 'copied', copy: true });
});
afterEach(async () => {
  await service.end();
  await rm(dir, { recursive: true, force: true });
});

const post = async (url: string, body: unknown) => asWindow(service, 'POST', `/api/v4/local/backups${url}`, body);
const state = async (): Promise<BackupState> => (await asWindow(service, 'GET', '/api/v4/backups')).body as BackupState;
const mine = async (): Promise<readonly string[]> => (await readdir(disk)).toSorted();

async function backUp(file: string): Promise<Job> {
  const { status, body } = await post('', { file });
  expect(status).toBe(202);
  return jobIn(service, (body as Job).id, 'done');
}

test('a backup from the window is a job and is recorded, and restoring it brings everything back', async () => {
  expect(await state()).toEqual({
    last: null,
    failed: null,
    schedule: null,
    restored: null,
    moved: null,
    move_failed: null,
  });
  const file = path.join(disk, 'b.zip');
  expect(await backUp(file)).toMatchObject({ kind: 'backup', measurement_id: '', result: file, message: null });
  expect(await mine()).toEqual(['b.zip']);
  expect((await state()).last).toMatchObject({ file, there: true, measurements: 1, left_out: 0 });
  expect((await post('', { file })).body).toMatchObject({ type: 'urn:benchport:problem:file-exists' });
  expect((await post('', { file: path.join(dir, 'data', 'b.zip') })).body).toMatchObject({
    type: 'urn:benchport:problem:data-directory',
  });
  expect((await post('/inspect', { file })).body).toMatchObject({ file, measurements: 1, library_files: 2, users: 1 });

  // Created after the backup.
  await service.user('bob');
  const job = (await post('/restore', { file })).body as Job;
  const done = await jobIn(service, job.id, 'done');
  await expect.poll(() => restarts, polling).toBe(1);
  await service.stop();
  service = await startTestService({ dataDir: path.join(dir, 'data') });
  expect(await service.services.users.byUsername('bob')).toBeNull();
  const token = await service.token((await service.services.users.byUsername('alice'))?.id ?? 0);
  const served = await fetch(`${service.url}/measurements/copied/files/1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(Buffer.from(await served.arrayBuffer()).equals(Buffer.alloc(300_000, 3))).toBe(true);
  expect((await state()).restored).toMatchObject({ before: done.result });
  // The backup, which was running inside itself, and its restoration are not reported as
  // unfinished.
  const ended = (await asWindow(service, 'GET', '/api/v4/jobs?state=ended')).body as Job[];
  expect(ended.filter((one) => one.state === 'failed')).toEqual([]);
  expect(existsSync(path.join(done.result ?? '', 'benchport.db'))).toBe(true);
});

test('outside the window, users see that backups exist, but neither their folder nor a way to make one', async () => {
  await backUp(path.join(disk, 'b.zip'));
  const admin = {
    authorization: `Bearer ${await service.token((await service.services.users.byUsername('alice'))?.id ?? 0, ['api'])}`,
  };
  const seen = await fetch(`${service.url}/api/v4/backups`, { headers: admin });
  expect(await seen.json()).toMatchObject({ last: { file: null, there: null, measurements: 1 } });
  const asked = await fetch(`${service.url}/api/v4/local/backups`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ file: path.join(disk, 'c.zip') }),
  });
  expect(asked.status).toBe(404);
  const bob = { authorization: `Bearer ${await service.token(await service.user('bob'), ['api'])}` };
  expect((await fetch(`${service.url}/api/v4/backups`, { headers: bob })).status).toBe(403);
});

test('a damaged or foreign file is refused, and the data stay untouched', async () => {
  const file = path.join(disk, 'b.zip');
  await backUp(file);
  const bytes = await readFile(file);
  const at = bytes.lastIndexOf(Buffer.alloc(1000, 3)) + 10;
  await writeFile(
    path.join(disk, 'flipped.zip'),
    Buffer.concat([bytes.subarray(0, at), Buffer.of(9), bytes.subarray(at + 1)]),
  );
  await writeFile(path.join(disk, 'cut.zip'), bytes.subarray(0, 5000));
  await writeFile(path.join(disk, 'note.zip'), 'a note');
  for (const name of ['cut.zip', 'note.zip', 'none.zip']) {
    const refused = await post('/restore', { file: path.join(disk, name) });
    expect([name, refused.status]).toEqual([name, 422]);
    expect(refused.body).toMatchObject({
      type: 'urn:benchport:problem:bad-backup',
      detail: expect.stringContaining(name === 'none.zip' ? 'it is not there' : 'like an archive'),
    });
  }
  const job = (await post('/restore', { file: path.join(disk, 'flipped.zip') })).body as Job;
  expect((await jobIn(service, job.id, 'failed')).message).toContain('its checksum is not the one');
  expect(restarts).toBe(0);
  expect(finishSwitch(path.join(dir, 'data'))).toBeNull();
  expect((await readdir(dir)).toSorted()).toEqual(['data', 'disk', 'run']);
});

test('a schedule makes one a day, keeps the newest of its own, ignores others, and waits after a failure', async () => {
  await writeFile(path.join(disk, 'benchport-2020-01-01-000000.zip'), 'of another installation');
  const schedule = { folder: disk, every: 'day', keep: 2 } as const;
  const set = await asWindow(service, 'PUT', '/api/v4/local/backups/schedule', { schedule });
  expect(set).toMatchObject({ status: 200, body: { schedule: { ...schedule } } });
  const jobs = async () => (await asWindow(service, 'GET', '/api/v4/jobs?state=ended')).body as Job[];
  const made = async (): Promise<number> =>
    (await jobs()).filter(({ kind, state: how }) => kind === 'backup' && how === 'done').length;
  await expect.poll(made, polling).toBe(1);
  const runner = jobRunner(service.services, works);
  for (let days = 1; days <= 3; days += 1) {
    expect(await backUpIfDue(service.services, runner, Date.now() + day / 2)).toBe(false);
    expect(await backUpIfDue(service.services, runner, Date.now() + days * day + 1000)).toBe(true);
    await expect.poll(made, polling).toBe(days + 1);
    // The clock of the schedule is ahead of the backup, so it counts as made at that time.
    expect(await backUpIfDue(service.services, runner, Date.now())).toBe(false);
  }
  expect(await mine()).toHaveLength(3);
  expect(await mine()).toContain('benchport-2020-01-01-000000.zip');
  await runner.stop();

  await rm(disk, { recursive: true });
  const later = Date.now() + 10 * day;
  expect(await backUpIfDue(service.services, runner, later)).toBe(false);
  expect((await state()).failed?.reason).toContain('it is not there');
  expect(await nextBackupAt(service.services, schedule, later)).toBe(later + 3600_000);
});

test('a cancelled backup leaves no files', async () => {
  await makeFiles(path.join(dir, 'large'), { 'c.bin': Buffer.alloc(60_000_000, 5) });
  await register(service, { path: path.join(dir, 'large'), id: 'large', copy: true });
  const { body } = await post('', { file: path.join(disk, 'b.zip') });
  const { id } = body as Job;
  await jobIn(service, id, 'running');
  await asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action: 'pause' });
  expect((await asWindow(service, 'GET', `/api/v4/jobs/${id}`)).body).toMatchObject({ state: 'paused' });
  expect((await asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action: 'cancel' })).body).toMatchObject({
    state: 'cancelled',
  });
  await expect.poll(mine, polling).toEqual([]);
  expect(await state()).toMatchObject({ last: null, failed: null });
});
