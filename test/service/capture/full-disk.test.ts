import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CaptureRun } from '../../../src-main/service/contract/capture/runs.ts';
import { mayMount } from '../may-mount.ts';
import { registered } from '../measurements/registration/support.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';
import { captureWindow, instrumentFolder, lookEveryMs, ruleOf, type InstrumentFolder } from './scene.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
let service: TestService;
let bench: InstrumentFolder;
let disk: string;
let minFreeBytes = 0;

// Without the right to mount a disk, the minimum of free space is more than any disk has.
beforeEach(async () => {
  disk = await mkdtemp(path.join(os.tmpdir(), 'benchport-small-'));
  if (mayMount) await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'benchport-test', disk]);
  minFreeBytes = mayMount ? 16 * mebibyte : 0;
  await mkdir(path.join(disk, 'data'));
  service = await startTestService({ lookEveryMs, dataDir: path.join(disk, 'data'), database: null });
  Object.defineProperty(service.services.diskSpace, 'minFreeBytes', { get: () => minFreeBytes });
  await service.user('alice', true);
  bench = await instrumentFolder();
});
afterEach(async () => {
  await service.end();
  await bench.remove();
  if (mayMount) await run('umount', ['--lazy', disk]);
  await rm(disk, { recursive: true, force: true });
});

async function fill(mebibytes: number): Promise<void> {
  if (mayMount) await writeFile(path.join(disk, 'filler'), Buffer.alloc(mebibytes * mebibyte));
  else minFreeBytes = Number.MAX_SAFE_INTEGER;
  await service.services.diskSpace.check();
}

async function free(): Promise<void> {
  if (mayMount) await rm(path.join(disk, 'filler'));
  minFreeBytes = mayMount ? 16 * mebibyte : 0;
  await service.services.diskSpace.check();
}

/** A complete run of 12 MiB, which waits in its state and says why. */
async function waits(): Promise<CaptureRun | undefined> {
  const window = captureWindow(service);
  const asks = async (): Promise<CaptureRun | undefined> =>
    (await window.runs()).find(({ state, message }) => state !== 'seen' && message !== null);
  await bench.write('run-1/data.raw', Buffer.alloc(12 * mebibyte, 1));
  await bench.write('run-1/done.txt');
  await until(async () => (await asks()) !== undefined, 'it says why it waits');
  return asks();
}

async function isRegisteredWhenFreed(): Promise<void> {
  await free();
  await captureWindow(service).reaches('run-1', 'registered');
  await registered(service, 'run-1', path.join(bench.folder, 'run-1'));
}

test.each([
  ['is below its minimum of free space', 56],
  ['has less space than the run needs', 40],
])('on a disk that %s a run waits, says why, and is registered when there is space', async (_what, mebibytes) => {
  await captureWindow(service).add(ruleOf(bench.folder, { copy: true }));
  await fill(mebibytes);
  expect(await waits()).toMatchObject({
    state: 'hashing',
    message: expect.stringContaining('it then continues automatically') as string,
  });
  await isRegisteredWhenFreed();
});

if (mayMount)
  test('a disk that runs full while a run is copied loses nothing either', async () => {
    await captureWindow(service).add(ruleOf(bench.folder, { copy: true }));
    await fill(56);
    // As if the space that was there when the copying began went to another program.
    minFreeBytes = -100 * mebibyte;
    expect(await waits()).toMatchObject({ state: 'hashing', measurement_id: 'run-1' });
    await isRegisteredWhenFreed();
  });
