import { openSync, closeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { sourceMapReader } from '../../../src-main/service/errors/source-maps/source-map-thread.ts';
import { digestWhole, startHasher } from '../../../src-main/service/fetching/engine/checksums/incremental-hash.ts';
import { startHashThread } from '../../../src-main/service/measurements/file-worker/hash-thread.ts';
import { remoteFiles } from '../../../src-main/service/servers/remote-files.ts';
import { WorkerEndedError } from '../../../src-main/service/workers/worker-errors.ts';
import { openFetchLab } from '../../faults/fetch-lab.ts';
import { generateMeasurement } from '../../faults/measurement.ts';
import { asWindow } from '../as-window.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import {
  jobIn,
  makeFiles,
  register,
  registered,
  sparseFile,
  startWithFolder,
} from '../measurements/registration/support.ts';
import { useFreshWorld } from '../use-service.ts';
import { nextWorker } from './next-worker.ts';

const service = useFreshWorld(startWithFolder);

/** Kills a thread once it has taken what it was given. */
async function kill(worker: Promise<Worker>): Promise<void> {
  const started = await worker;
  await once(started, 'online');
  await started.terminate();
}

const job = async (id: number): Promise<Job> => (await asWindow(service, 'GET', `/api/v4/jobs/${id}`)).body as Job;

describe('a thread that is killed', () => {
  for (const copy of [false, true]) {
    it(`while it ${copy ? 'copies' : 'reads'} a folder fails the registration, which can be repeated`, async () => {
      const folder = service.run;
      await makeFiles(folder, { 'a.txt': 'alpha' });
      await sparseFile(path.join(folder, 'z.bin'), 100_000_000);
      const started = nextWorker('hash');
      const { id } = (await asWindow(service, 'POST', '/api/v4/local/registrations', { path: folder, copy }))
        .body as Job;
      while ((await job(id)).bytes_done === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await (await started).terminate();
      expect((await jobIn(service, id, 'failed')).message).toMatch(/^Something failed/);
      const again = (await asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action: 'retry' })).body as Job;
      await jobIn(service, again.id, 'done');
      await registered(service, 'run', folder);
    });
  }

  it('while it lists a folder fails the list', async () => {
    const started = nextWorker('hash');
    const thread = startHashThread();
    const list = thread.list({ kind: 'folder', path: service.files, ignoreList: [] }, async () => {});
    await Promise.all([expect(list).rejects.toBeInstanceOf(WorkerEndedError), (await started).terminate()]);
    await thread.close();
  });

  it('while it makes a backup fails the job, and the next one is made', async () => {
    await makeFiles(service.run, { 'a.bin': Buffer.alloc(60_000_000, 5) });
    await register(service, { path: service.run, copy: true });
    const disk = path.join(service.files, 'disk');
    await mkdir(disk);
    const backUp = async (): Promise<number> =>
      ((await asWindow(service, 'POST', '/api/v4/local/backups', { file: path.join(disk, 'b.zip') })).body as Job).id;
    const started = nextWorker('data-backup');
    const id = await backUp();
    await kill(started);
    expect((await jobIn(service, id, 'failed')).message).toMatch(/^Something failed/);
    await expect.poll(async () => readdir(disk)).toEqual([]);
    await jobIn(service, await backUp(), 'done');
    expect(await readdir(disk)).toEqual(['b.zip']);
  });

  it('while it fetches has interrupted the fetch, which goes on in another', async () => {
    const lab = await openFetchLab();
    try {
      const bob = await service.user('bob');
      await addMeasurement(service, bob, 'M1', [{ path: 'a.bin', bytes: Buffer.alloc(3_000_000, 1) }]);
      const made = await lab.scene(generateMeasurement('nothing', 1, [])).plan(service.url, { measurementId: 'M1' });
      const source = { baseUrl: service.url, token: await service.token(bob), certificate: null };
      const plan = { ...made, source };
      const started = nextWorker('fetch');
      // Too slow to end by itself.
      lab.engine.limit(1000, new Map());
      const first = lab.engine.run(plan);
      const worker = await started;
      while (first.progress().bytesReceived === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await worker.terminate();
      expect(await first.outcome).toEqual({
        kind: 'retry',
        reason: 'unexpected',
        message: 'The fetch was interrupted: its thread has ended',
        afterMs: null,
      });
      lab.engine.limit(null, new Map());
      const next = lab.engine.run({ ...plan, ...(await lab.fetches.order(plan.id)) });
      expect(await next.outcome).toEqual({ kind: 'done' });
    } finally {
      await lab.end();
    }
  });

  it('while it is stopping a fetch has stopped it', async () => {
    const lab = await openFetchLab();
    try {
      const plan = await lab.scene(generateMeasurement('nothing', 1, [])).plan(service.url);
      const started = nextWorker('fetch');
      const run = lab.engine.run(plan);
      run.stop();
      await (await started).terminate();
      expect(await run.outcome).toEqual({ kind: 'stopped' });
    } finally {
      await lab.end();
    }
  });

  it('while it hashes a growing file fails that, lets go of the file, and hashes the next one', async () => {
    const file = path.join(service.files, 'a.bin');
    await writeFile(file, 'alpha');
    const fd = openSync(file, 'r');
    const hasher = startHasher();
    try {
      const started = nextWorker('fetch-hash');
      const following = hasher.follow(fd);
      following.advance(5);
      await kill(started);
      await expect(following.digest()).rejects.toThrow('the thread fetch-hash has ended');
      await following.drop();
      const { signal } = new AbortController();
      expect(await digestWhole(hasher, fd, signal)).toMatchObject({ length: 5, crc32: crc32('alpha') });
      const dropped = hasher.follow(fd);
      await dropped.drop();
      await expect(dropped.digest()).rejects.toThrow('dropped');
    } finally {
      closeSync(fd);
      await hasher.close();
    }
  });

  it('while it reads source maps fails that one, and gets the map again for the next', async () => {
    const reader = sourceMapReader();
    try {
      const map = { version: 3, sources: ['a.ts'], sourcesContent: ['let a;'], names: [], mappings: 'AAAA' };
      const body = Buffer.from(JSON.stringify(map));
      let started = nextWorker('source-maps');
      const failing = reader.pack(body);
      await Promise.all([expect(failing).rejects.toBeInstanceOf(WorkerEndedError), (await started).terminate()]);
      started = nextWorker('source-maps');
      const { content } = await reader.pack(Buffer.from(JSON.stringify(map)));
      let given = 0;
      const find = async () => reader.find(1, async () => ((given += 1), content), [{ line: 0, column: 0 }]);
      expect(await find()).toMatchObject([{ filename: 'a.ts', text: 'let a;' }]);
      expect(await find()).toMatchObject([{ filename: 'a.ts' }]);
      expect(given).toBe(1);
      await (await started).terminate();
      expect(await find()).toMatchObject([{ filename: 'a.ts' }]);
      expect(given).toBe(2);
    } finally {
      await reader.close();
    }
  });

  it('while it reads a manifest elsewhere fails that page; the next one is read anew', async () => {
    let isSilent = true;
    const manifest = JSON.stringify({ measurementId: 'M1', files: [{ index: 0, path: 'a', length: 1, crc32: 1 }] });
    const server = http.createServer((_request, response) => void (isSilent || response.end(manifest)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const files = remoteFiles();
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const query = { measurementId: 'M1', search: '', offset: 0, limit: 1 };
      const page = async () => files.page({ ...query, source: { baseUrl, token: null, certificate: null } });
      const started = nextWorker('remote-files');
      const failing = page();
      failing.catch(() => {});
      await once(server, 'request');
      await (await started).terminate();
      await expect(failing).rejects.toBeInstanceOf(WorkerEndedError);
      isSilent = false;
      expect(await page()).toMatchObject({ file_count: 1 });
    } finally {
      await files.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
