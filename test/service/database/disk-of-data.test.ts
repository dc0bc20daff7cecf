import { execFile } from 'node:child_process';
import Database from 'better-sqlite3';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { jobsStore } from '../../../src-main/service/jobs/jobs-store.ts';
import { mayLoopMount, openLoopDisk } from '../../faults/loop-disk.ts';
import { mayMount } from '../may-mount.ts';
import { startTestService, type TestService } from '../start.ts';
import { asWindow } from '../as-window.ts';
import { makeFiles, register } from '../measurements/registration/support.ts';

const run = promisify(execFile);
let disk: string;
let folder: string;

beforeEach(async () => {
  disk = await mkdtemp(path.join(os.tmpdir(), 'benchport-data-disk-'));
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-data-files-'));
  if (mayMount) await run('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'benchport-test', disk]);
});
afterEach(async () => {
  if (mayMount) await run('umount', ['--lazy', disk]);
  await rm(disk, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

async function fill(): Promise<string> {
  const filler = path.join(disk, 'filler');
  await run('sh', ['-c', `cat /dev/zero > "${filler}" 2>/dev/null || true`]);
  return filler;
}

async function servesTheFile(service: TestService, token: string): Promise<void> {
  const answer = await fetch(`${service.url}/measurements/run/files/0`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('ten bytes.');
}

async function newToken(service: TestService): Promise<{ status: number; body: string }> {
  const answer = await asWindow(service, 'POST', '/api/v4/user/personal_access_tokens', {
    name: 'x'.repeat(200),
    description: 'y'.repeat(1000),
    scopes: ['api'],
  });
  return { status: answer.status, body: JSON.stringify(answer.body) };
}

if (mayMount) {
  test('a full data disk refuses writes, keeps serving, and recovers with free space', async () => {
    const service = await startTestService({ dataDir: path.join(disk, 'data') });
    try {
      const token = await service.token(await service.user('alice', true), ['read_api']);
      await makeFiles(folder, { 'a.txt': 'ten bytes.' });
      await register(service, { path: folder, id: 'run' });
      const filler = await fill();
      let refused = await newToken(service);
      // The rest of the write-ahead log holds a few more rows.
      for (let i = 0; i < 2000 && refused.status === 201; i += 1) refused = await newToken(service);
      expect(refused.status).toBe(507);
      expect(refused.body).toContain('full');
      await servesTheFile(service, token);
      expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
      expect((await fetch(`${service.url}/-/readiness`)).status).toBe(503);
      await rm(filler);
      expect((await newToken(service)).status).toBe(201);
      expect((await fetch(`${service.url}/-/readiness`)).status).not.toBe(500);
    } finally {
      await service.end();
    }
  });

  test('a row whose commit failed on a full disk is not reported as stored', async () => {
    const database = openDatabase(path.join(disk, 'data'));
    try {
      const jobs = jobsStore(storeContext(database).database);
      const filler = await fill();
      const made: number[] = [];
      const make = async () =>
        made.push((await jobs.create({ kind: 'verify', measurementId: 'run', userId: null, parameters: {} })).id);
      await expect(
        (async () => {
          for (let i = 0; i < 10_000; i += 1) await make();
        })(),
      ).rejects.toMatchObject({ code: 'SQLITE_FULL' });
      await rm(filler);
      await make();
      expect(database.prepare('SELECT id FROM jobs ORDER BY id').pluck().all()).toEqual(made);
    } finally {
      database.close();
    }
  });

  test('a service does not start on a full disk, and says what to do', async () => {
    await fill();
    await expect(startTestService({ dataDir: path.join(disk, 'data') })).rejects.toMatchObject({
      code: 'data-unusable',
      message: expect.stringMatching(/full\. Free some space/) as string,
    });
  });
}

test('a data directory that is a file is refused with an explanation', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'data'), '');
  await expect(startTestService({ dataDir: path.join(folder, 'data') })).rejects.toMatchObject({
    code: 'data-unusable',
  });
});

test('damage to the database of a running service is reported, and the service stays up', async () => {
  const service = await startTestService({ dataDir: path.join(folder, 'data') });
  try {
    const token = await service.token(await service.user('alice', true), ['read_api']);
    const file = path.join(folder, 'data', 'benchport.db');
    // Another program's write makes the service read its pages from the file again, and they are
    // now damaged.
    const other = new Database(file);
    other.prepare("INSERT INTO settings (key, value) VALUES ('x', 'y')").run();
    other.pragma('wal_checkpoint(TRUNCATE)');
    const handle = await open(file, 'r+');
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096);
    await handle.close();
    other.close();
    const answer = await fetch(`${service.url}/api/v4/measurements`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('urn:benchport:problem:data-damaged');
    expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
    expect((await fetch(`${service.url}/-/readiness`)).status).toBe(503);
  } finally {
    await service.end();
  }
});

if (mayLoopMount()) {
  test('a data disk that becomes read-only refuses writes and keeps serving; a start on it is refused with an explanation', async () => {
    const loop = openLoopDisk(64);
    const dataDir = path.join(loop.folder, 'data');
    try {
      const service = await startTestService({ dataDir });
      const token = await service.token(await service.user('alice', true), ['read_api']);
      await makeFiles(folder, { 'a.txt': 'ten bytes.' });
      await register(service, { path: folder, id: 'run' });
      // ext4 remounts itself so when its disk fails: read-only at once, with files open.
      await run('mount', ['-o', 'remount,abort', loop.folder]);
      const refused = await newToken(service);
      expect(refused.status).toBe(503);
      expect(refused.body).toContain('The data directory cannot be written. Check its permissions and its disk.');
      await servesTheFile(service, token);
      expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
      const readiness = await fetch(`${service.url}/-/readiness`);
      expect([readiness.status, await readiness.json()]).toEqual([
        503,
        expect.objectContaining({ database: expect.stringContaining('The database cannot be written.') as string }),
      ]);
      // The use of a token cannot be written either; the service stops nevertheless.
      await service.end();
      await expect(startTestService({ dataDir })).rejects.toMatchObject({
        code: 'data-unusable',
        message: `The data directory ${dataDir} cannot be written. Give this user write access to it, or choose another one with --data.`,
      });
      await loop.powerReturns();
      const again = await startTestService({ dataDir });
      await servesTheFile(again, token);
      await again.end();
    } finally {
      await loop.end();
    }
  });
}
