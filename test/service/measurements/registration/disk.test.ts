import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { isNoSpace } from '../../../../src-main/service/files/register-failures.ts';
import {
  AbortedError,
  asLibraryError,
  LibraryError,
  outcomeOfFailure,
} from '../../../../src-main/service/measurements/file-worker/import-failures.ts';
import { sinkTo } from '../../../../src-main/service/measurements/file-worker/import-file.ts';
import { mayMount } from '../../may-mount.ts';
import { asWindow } from '../../as-window.ts';
import { jobIn, makeFiles, register, registered, sparseFile, startWithFolder } from './support.ts';
import { useFreshWorld } from '../../use-service.ts';

const run = promisify(execFile);
const service = useFreshWorld(startWithFolder);
let mounted: string[] = [];

afterEach(async () => {
  for (const point of mounted) await run('umount', ['--lazy', point]);
  mounted = [];
});

/** A small separate disk. */
async function mount(point: string, options: string): Promise<void> {
  await mkdir(point, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', options, 'benchport-test', point]);
  mounted.push(point);
}

/** The library without the folder that a mount adds. */
async function filesInLibrary(part: string): Promise<string[]> {
  const found = await readdir(path.join(service.services.paths.library, part), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

if (mayMount) {
  test('a disk that runs full while copying pauses, leaves no partial file, and continues with space', async () => {
    const { library } = service.services.paths;
    // Names run out rather than bytes, because the check before the start sees plenty of space.
    await mount(library, 'size=1g,nr_inodes=24');
    await makeFiles(
      service.run,
      Object.fromEntries(Array.from({ length: 40 }, (_unused, at) => [`${at}.txt`, `file ${at}`])),
    );
    const job = await register(service, { path: service.run, copy: true });
    expect(job).toMatchObject({
      state: 'paused',
      message: 'The disk of the data directory is full. Free some space; it then continues automatically.',
    });
    expect(await filesInLibrary('incoming')).toEqual([]);
    expect((await service.services.measurements.byId('run'))?.state).toBe('registering');
    await run('mount', ['-o', 'remount,nr_inodes=10000', library]);
    await asWindow(service, 'POST', `/api/v4/jobs/${job.id}`, { action: 'resume' });
    await jobIn(service, job.id, 'done');
    await registered(service, 'run', service.run);
  });

  test('a copy that cannot fit is not begun, an archive that cannot fit is refused', async () => {
    await mount(service.services.paths.library, 'size=100m');
    await makeFiles(service.run, {});
    await sparseFile(path.join(service.run, 'big.bin'), 200_000_000);
    expect(await register(service, { path: service.run, copy: true })).toMatchObject({
      state: 'paused',
      message: expect.stringMatching(
        /^It needs 200 MB in the library, its disk has \d+ MB free, and 269 MB are kept free\. Free some space; it then continues automatically\.$/,
      ) as string,
    });
    const archive = path.join(service.files, 'big.zip');
    const { buildZip } = await import('./zip-builder.ts');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(archive, buildZip([{ name: 'big.bin', data: Buffer.alloc(90_000_000), deflate: true }]));
    expect(await register(service, { path: archive })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('It needs 90 MB in the library') as string,
    });
  });

  test('a library that has become read-only pauses with the reason', async () => {
    const { library } = service.services.paths;
    await mount(library, 'size=1g');
    await run('mount', ['-o', 'remount,ro', library]);
    await makeFiles(service.run, { 'a.txt': 'alpha' });
    const job = await register(service, { path: service.run, copy: true });
    expect(job).toMatchObject({
      state: 'paused',
      message: expect.stringContaining('The library cannot be written to (EROFS)') as string,
    });
    await run('mount', ['-o', 'remount,rw', library]);
    await asWindow(service, 'POST', `/api/v4/jobs/${job.id}`, { action: 'resume' });
    await jobIn(service, job.id, 'done');
    await registered(service, 'run', service.run);
  });

  test('an unmounted source pauses the registration, although its empty folder still exists', async () => {
    await mount(service.run, 'size=100m');
    await makeFiles(service.run, { 'a.txt': 'alpha', 'y.txt': 'yankee' });
    await sparseFile(path.join(service.run, 'b.bin'), 400_000_000);
    const { body } = await asWindow(service, 'POST', '/api/v4/local/registrations', { path: service.run });
    const { id } = body as { id: number };
    while (((await asWindow(service, 'GET', `/api/v4/jobs/${id}`)).body as { files_done: number }).files_done < 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await run('umount', ['--lazy', service.run]);
    mounted = [];
    expect(await jobIn(service, id, 'paused', 'done')).toMatchObject({
      state: 'paused',
      files_done: 1,
      message: `Another folder is now at ${service.run}. Connect its disk again, then resume.`,
    });
  });

  test('an export to a full disk is refused before it begins, and leaves nothing', async () => {
    await makeFiles(service.run, {});
    await sparseFile(path.join(service.run, 'big.bin'), 50_000_000);
    await register(service, { path: service.run });
    const target = path.join(service.files, 'small');
    await mount(target, 'size=20m');
    const answer = await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', {
      directory: target,
      format: 'zip',
    });
    expect(await jobIn(service, (answer.body as { id: number }).id, 'failed', 'done')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('MB free. Free some space, or choose another folder.') as string,
    });
    expect(await readdir(target)).toEqual([]);
  });
}

// Needs no mount: /dev/full causes ENOSPC in the same code, with every outcome that follows.
test('a full disk during the copy is distinguished from every other failure', () => {
  const fd = openSync('/dev/full', 'r+');
  try {
    const write = sinkTo(fd);
    const attempt = () => asLibraryError(() => write(Buffer.alloc(10)));
    expect(attempt).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
    try {
      attempt();
    } catch (error) {
      expect(isNoSpace(error)).toBe(true);
      expect(outcomeOfFailure({ index: 3 }, error)).toEqual({
        index: 3,
        failed: 'no-space',
        reason: 'the disk is full',
      });
    }
  } finally {
    closeSync(fd);
  }
  const readOnly = Object.assign(new Error('read-only'), { code: 'EROFS' });
  const refuse = () =>
    asLibraryError(() => {
      throw readOnly;
    });
  expect(refuse).toThrow(LibraryError);
  expect(outcomeOfFailure({ index: 0 }, new LibraryError(readOnly))).toMatchObject({
    failed: 'library',
    reason: expect.stringContaining('(EROFS)') as string,
  });
  expect(() => outcomeOfFailure({ index: 0 }, new AbortedError('stopped'))).toThrow(AbortedError);
});
