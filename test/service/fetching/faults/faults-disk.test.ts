import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFaultServer, type FaultServer } from '../../../faults/fault-server.ts';
import { openFetchLab, type FetchLab, type Scene } from '../../../faults/fetch-lab.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { mayMount } from '../../may-mount.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-10', 21, [
  ['a/big.bin', 6 * mebibyte],
  ['b.bin', 100_000],
]);
const total = 6 * mebibyte + 100_000;
let lab: FetchLab;
let server: FaultServer;
let scene: Scene;

beforeAll(async () => {
  lab = await openFetchLab();
});
afterAll(() => lab.end());
beforeEach(async () => {
  server = await startFaultServer(measurement, { pace: 8_000_000 });
  scene = lab.scene(measurement);
});
afterEach(async () => {
  await server.stop();
  scene.mustBeClean();
});

async function sent(bytes: number): Promise<void> {
  while (server.bytesSent() < bytes) await new Promise((resolve) => setTimeout(resolve, 5));
}

if (mayMount) {
  test('a disk that runs full midway: it asks, says so, and goes on where it was when there is room', async () => {
    const disk = path.join(scene.root, 'home');
    await run('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'benchport-test', disk]);
    try {
      const plan = await scene.plan(server.url);
      const outcome = await scene.untilEnd(plan);
      expect(outcome).toMatchObject({ kind: 'ask', reason: 'disk-full' });
      await run('mount', ['-o', 'remount,size=20m', disk]);
      const before = server.bytesSent();
      expect(await scene.untilEnd(plan)).toEqual({ kind: 'done' });
      expect(scene.files()).toEqual(filesOf(measurement));
      // Bytes on disk from before have stayed and are used.
      expect(server.bytesSent() - before).toBeLessThan(total - mebibyte);
      scene.mustBeClean();
    } finally {
      await run('umount', ['--lazy', disk]);
    }
  });
}

describe('the target', () => {
  test.each<[string, (target: string) => Promise<void>]>([
    // Again when a file is made in it meanwhile.
    ['is removed', (target) => rm(target, { recursive: true, maxRetries: 10 })],
    ['is moved away', (target) => rename(target, `${target}-moved`)],
    [
      'is removed with the folder around it',
      async (target) => {
        await rename(path.dirname(target), `${path.dirname(target)}-moved`);
      },
    ],
  ])('%s midway: it asks, and makes nothing anew behind the back of its user', async (_name, remove) => {
    const plan = await scene.plan(server.url);
    const going = await scene.run(plan);
    await sent(2 * mebibyte);
    await remove(scene.target);
    expect(await going.outcome).toMatchObject({ kind: 'ask', reason: 'target-missing' });
    expect(existsSync(path.join(scene.target, 'a'))).toBe(false);
    // Bytes that were there before it was moved are no bytes outside: they are where their user put them.
    scene = lab.scene(measurement);
  });

  test('has lost what was fetched before, or that has been written to: that is fetched again, or said to be in the way', async () => {
    const plan = await scene.plan(server.url, { chosen: [1] });
    expect(await scene.untilEnd(plan)).toEqual({ kind: 'done' });
    const file = path.join(scene.target, 'b.bin');
    await rm(file);
    expect(await scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(scene.files().get('b.bin')).toBe(filesOf(measurement).get('b.bin'));
    expect(lab.warningsOf(plan)).toEqual(['1 file that had been fetched is no longer there, and is fetched again.']);
    expect(await lab.journal.standing(plan.id)).toEqual({ filesDone: 1, bytesDone: 100_000, bytesVerified: 100_000 });
    await appendFile(file, 'my own notes');
    expect(await scene.untilEnd(plan)).toMatchObject({ kind: 'failed', reason: 'files-failed' });
    expect(lab.reasonOf(plan, 1)).toBe('name-taken');
    expect((await stat(file)).size).toBe(100_012);
    scene = lab.scene(measurement);
  });

  test('is a file, or its parent is missing', async () => {
    await writeFile(scene.target, 'mine');
    expect(await scene.untilEnd(await scene.plan(server.url))).toMatchObject({
      kind: 'ask',
      reason: expect.stringMatching(/target-missing|target-unwritable|name-taken/) as string,
    });
    const beyond = lab.scene(measurement, path.join(scene.root, 'nowhere', 'm'));
    expect(await beyond.untilEnd(await beyond.plan(server.url))).toMatchObject({
      kind: 'ask',
      reason: 'target-missing',
    });
    expect(existsSync(path.join(scene.root, 'nowhere'))).toBe(false);
    await rm(scene.target);
  });

  test('holds files of these names: the right one is left alone, another one is never overwritten', async () => {
    const plan = await scene.plan(server.url);
    await scene.untilEnd(plan);
    const before = server.bytesSent();
    const second = await scene.plan(server.url);
    expect(await scene.untilEnd(second)).toEqual({ kind: 'done' });
    expect(server.bytesSent()).toBe(before);
    const other = lab.scene(measurement);
    await mkdir(other.target);
    await writeFile(path.join(other.target, 'b.bin'), 'my own notes');
    expect(await other.untilEnd(await other.plan(server.url))).toMatchObject({
      reason: expect.stringMatching(/files-failed|target-unwritable|name-taken/) as string,
    });
    expect(other.files().get('b.bin')).not.toBe(filesOf(measurement).get('b.bin'));
    expect(other.files().get('a/big.bin')).toBe(filesOf(measurement).get('a/big.bin'));
  });
});
