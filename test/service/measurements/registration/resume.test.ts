import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { databaseUrlOf, startTestService, type TestService } from '../../start.ts';
import { asWindow } from '../../as-window.ts';
import { jobIn, makeFiles, registered, sparseFile } from './support.ts';

let dir: string;
let service: TestService | null;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-resume-'));
  service = null;
});
afterEach(async () => {
  await service?.end();
  await rm(dir, { recursive: true, force: true });
});

async function start(): Promise<TestService> {
  service = await startTestService({ dataDir: path.join(dir, 'data') });
  if (!(await service.services.users.byUsername('alice'))) await service.user('alice', true);
  return service;
}

/**
 * Small files that are read first, and a long one at the end in which the registration is
 * interrupted.
 */
async function source(bytes: number): Promise<string> {
  const folder = path.join(dir, 'run');
  await makeFiles(
    folder,
    Object.fromEntries(
      Array.from({ length: 40 }, (_unused, at) => [`a/${String(at).padStart(2, '0')}.txt`, `file ${at}`]),
    ),
  );
  await sparseFile(path.join(folder, 'z.bin'), bytes);
  return folder;
}

async function begin(
  running: Pick<TestService, 'socketPath' | 'launchSecret'>,
  body: object,
  files: number,
): Promise<Job> {
  const job = (await asWindow(running, 'POST', '/api/v4/local/registrations', body)).body as Job;
  for (;;) {
    const now = (await asWindow(running, 'GET', `/api/v4/jobs/${job.id}`)).body as Job;
    if (now.files_done >= files) return now;
    if (now.ended_at !== null) throw new Error(`it ended before it could be interrupted: ${now.state} ${now.message}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const copy of [false, true]) {
  test(`after a kill it continues behind the last file (${copy ? 'copied' : 'by reference'})`, async () => {
    const folder = await source(400_000_000);
    const socket = { socketPath: path.join(dir, 'window.sock'), launchSecret: 'secret-of-the-child' };
    const child = spawn(
      process.execPath,
      [
        path.resolve(import.meta.dirname, '../../service-child.ts'),
        path.join(dir, 'data'),
        socket.socketPath,
        socket.launchSecret,
        await databaseUrlOf(path.join(dir, 'data')),
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await ready(child);
    const job = await begin(socket, { path: folder, copy }, 40);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const again = await start();
    const before = await again.services.files.from('run', 0, 40);
    expect(before).toHaveLength(40);
    expect((await again.services.measurements.byId('run'))?.state).toBe('registering');
    const done = await jobIn(again, job.id, 'done');
    expect(done).toMatchObject({ files_done: 41, bytes_total: done.bytes_done });
    const after = await again.services.files.from('run', 0, 100);
    // Bytes read before the kill were not read again.
    expect(after.slice(0, 40).map((row) => row.registered_at)).toEqual(before.map((row) => row.registered_at));
    await registered(again, 'run', folder);
    expect(await readdir(path.join(again.services.paths.library, 'incoming')).catch(() => [])).toEqual([]);
  });
}

test('a service that is stopped continues at its next start', async () => {
  const folder = await source(400_000_000);
  const first = await start();
  const job = await begin(first, { path: folder }, 40);
  await first.stop();
  const second = await start();
  await jobIn(second, job.id, 'done');
  await registered(second, 'run', folder);
});

test('pause keeps the files already read, resume continues, and the row shows both', async () => {
  const folder = await source(400_000_000);
  const running = await start();
  const job = await begin(running, { path: folder }, 40);
  expect((await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'pause' })).body).toMatchObject({
    state: 'paused',
    files_done: 40,
    bytes_per_second: 0,
  });
  expect((await running.services.measurements.byId('run'))?.state).toBe('registering');
  expect((await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'resume' })).status).toBe(200);
  await jobIn(running, job.id, 'done');
  await registered(running, 'run', folder);
});

for (const copy of [false, true]) {
  test(`cancel leaves nothing behind (${copy ? 'copied' : 'by reference'})`, async () => {
    const folder = await source(400_000_000);
    const running = await start();
    const job = await begin(running, { path: folder, copy }, 40);
    expect((await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'cancel' })).body).toMatchObject({
      state: 'cancelled',
    });
    expect(await running.services.measurements.byId('run')).toBeNull();
    expect(await running.services.registrations.planned(job.id, 0, 10)).toEqual([]);
    const left = await readdir(running.services.paths.library, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
    expect((await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'resume' })).status).toBe(409);
    expect((await asWindow(running, 'POST', '/api/v4/local/registrations', { path: folder, id: 'run' })).status).toBe(
      202,
    );
  });
}

test('a file that changes after it was read is read again', async () => {
  const folder = await source(400_000_000);
  const running = await start();
  const job = await begin(running, { path: folder }, 40);
  await writeFile(path.join(folder, 'a/07.txt'), 'quite different');
  await jobIn(running, job.id, 'done');
  await registered(running, 'run', folder);
});

test('a file that keeps changing fails the registration with its name', async () => {
  const folder = path.join(dir, 'run');
  await makeFiles(folder, { 'a.txt': 'a' });
  await sparseFile(path.join(folder, 'log.bin'), 100_000_000);
  const running = await start();
  const handle = await open(path.join(folder, 'log.bin'), 'a');
  const writing = setInterval(() => void handle.write('more').catch(() => {}), 2);
  const { body } = await asWindow(running, 'POST', '/api/v4/local/registrations', { path: folder });
  const job = await jobIn(running, (body as Job).id, 'failed', 'done');
  clearInterval(writing);
  await handle.close();
  expect(job).toMatchObject({
    state: 'failed',
    message: 'log.bin: it kept changing while it was read. Register it again when the instrument has finished writing.',
  });
  expect(await running.services.measurements.byId('run')).toBeNull();
});

for (const [what, change, message] of [
  [
    'comes',
    (folder: string) => makeFiles(folder, { 'b/late.txt': 'late' }),
    'b/late.txt came while the folder was being registered',
  ],
  [
    'goes',
    (folder: string) => rm(path.join(folder, 'a/03.txt')),
    'a/03.txt was removed while the folder was being registered',
  ],
] as const) {
  test(`a file that ${what} during a registration fails it with its name`, async () => {
    const folder = await source(400_000_000);
    const running = await start();
    const job = await begin(running, { path: folder }, 40);
    await change(folder);
    expect(await jobIn(running, job.id, 'failed', 'done')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(message) as string,
    });
  });
}

test('a source that disappears pauses the registration, which continues when the source is back', async () => {
  const folder = await source(400_000_000);
  const running = await start();
  const job = await begin(running, { path: folder }, 40);
  await rename(folder, `${folder}-away`);
  expect(await jobIn(running, job.id, 'paused', 'done')).toMatchObject({
    state: 'paused',
    message: expect.stringContaining('Connect its disk again, then resume') as string,
  });
  await rename(`${folder}-away`, folder);
  await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'resume' });
  await jobIn(running, job.id, 'done');
  await registered(running, 'run', folder);
});

test('an archive that changes while it is unpacked fails the registration', async () => {
  const { buildZip } = await import('./zip-builder.ts');
  const file = path.join(dir, 'run.zip');
  await writeFile(
    file,
    buildZip([
      { name: 'a.txt', data: 'a' },
      { name: 'big.bin', data: Buffer.alloc(90_000_000, 1), deflate: false },
      { name: 'z.txt', data: 'z' },
    ]),
  );
  const running = await start();
  const job = await begin(running, { path: file }, 1);
  await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'pause' });
  await utimes(file, 1_600_000_000, 1_600_000_000);
  await asWindow(running, 'POST', `/api/v4/jobs/${job.id}`, { action: 'resume' });
  expect(await jobIn(running, job.id, 'failed', 'done')).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('was changed while it was being registered') as string,
  });
});

async function ready(child: ChildProcess): Promise<void> {
  const line = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  expect(line[0].toString()).toContain('ready');
}
