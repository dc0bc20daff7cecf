import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { mayMount } from '../../may-mount.ts';
import { useFaults } from './faults-world.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-10', 21, [
  ['a/big.bin', 6 * mebibyte],
  ['b.bin', 100_000],
]);
const total = 6 * mebibyte + 100_000;
const world = useFaults(measurement, { pace: 8_000_000 });

async function sent(bytes: number): Promise<void> {
  while (world.server.bytesSent() < bytes) await new Promise((resolve) => setTimeout(resolve, 5));
}

if (mayMount) {
  test('a disk that runs full midway: it asks, says so, and goes on where it was when there is room', async () => {
    const disk = path.join(world.scene.root, 'home');
    await run('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'benchport-test', disk]);
    try {
      const plan = await world.scene.plan(world.server.url);
      const outcome = await world.scene.untilEnd(plan);
      expect(outcome).toMatchObject({ kind: 'ask', reason: 'disk-full' });
      await run('mount', ['-o', 'remount,size=20m', disk]);
      const before = world.server.bytesSent();
      expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
      expect(world.scene.files()).toEqual(filesOf(measurement));
      // Bytes on disk from before have stayed and are used.
      expect(world.server.bytesSent() - before).toBeLessThan(total - mebibyte);
      world.scene.mustBeClean();
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
    const plan = await world.scene.plan(world.server.url);
    const going = await world.scene.run(plan);
    await sent(2 * mebibyte);
    await remove(world.scene.target);
    expect(await going.outcome).toMatchObject({ kind: 'ask', reason: 'target-missing' });
    expect(existsSync(path.join(world.scene.target, 'a'))).toBe(false);
    // Bytes that were there before it was moved are no bytes outside: they are where their user put them.
    world.scene = world.lab.scene(measurement);
  });

  test('has lost what was fetched before, or that has been written to: that is fetched again, or said to be in the way', async () => {
    const plan = await world.scene.plan(world.server.url, { chosen: [1] });
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    const file = path.join(world.scene.target, 'b.bin');
    await rm(file);
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files().get('b.bin')).toBe(filesOf(measurement).get('b.bin'));
    expect(world.lab.warningsOf(plan)).toEqual([
      '1 file that had been fetched is no longer there, and is fetched again.',
    ]);
    expect(await world.lab.journal.standing(plan.id)).toEqual({
      filesDone: 1,
      bytesDone: 100_000,
      bytesVerified: 100_000,
    });
    await appendFile(file, 'my own notes');
    expect(await world.scene.untilEnd(plan)).toMatchObject({ kind: 'failed', reason: 'files-failed' });
    expect(world.lab.reasonOf(plan, 1)).toBe('name-taken');
    expect((await stat(file)).size).toBe(100_012);
    world.scene = world.lab.scene(measurement);
  });

  test('is a file, or its parent is missing', async () => {
    await writeFile(world.scene.target, 'mine');
    expect(await world.scene.untilEnd(await world.scene.plan(world.server.url))).toMatchObject({
      kind: 'ask',
      reason: expect.stringMatching(/target-missing|target-unwritable|name-taken/) as string,
    });
    const beyond = world.lab.scene(measurement, path.join(world.scene.root, 'nowhere', 'm'));
    expect(await beyond.untilEnd(await beyond.plan(world.server.url))).toMatchObject({
      kind: 'ask',
      reason: 'target-missing',
    });
    expect(existsSync(path.join(world.scene.root, 'nowhere'))).toBe(false);
    await rm(world.scene.target);
  });

  test('holds files of these names: the right one is left alone, another one is never overwritten', async () => {
    const plan = await world.scene.plan(world.server.url);
    await world.scene.untilEnd(plan);
    const before = world.server.bytesSent();
    const second = await world.scene.plan(world.server.url);
    expect(await world.scene.untilEnd(second)).toEqual({ kind: 'done' });
    expect(world.server.bytesSent()).toBe(before);
    const other = world.lab.scene(measurement);
    await mkdir(other.target);
    await writeFile(path.join(other.target, 'b.bin'), 'my own notes');
    expect(await other.untilEnd(await other.plan(world.server.url))).toMatchObject({
      reason: expect.stringMatching(/files-failed|target-unwritable|name-taken/) as string,
    });
    expect(other.files().get('b.bin')).not.toBe(filesOf(measurement).get('b.bin'));
    expect(other.files().get('a/big.bin')).toBe(filesOf(measurement).get('a/big.bin'));
  });
});
