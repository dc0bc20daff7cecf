import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { flipBit } from '../../../faults/body-faults.ts';
import { bareAnswer, type Fault } from '../../../faults/exchange.ts';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { archiveOf, filesOf, partialEnding } from '../../../faults/folder-contents.ts';
import { lengthByClose, noLength, noRanges, noTag } from '../../../faults/header-faults.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { bodies, firstTimes, forThose } from '../../../faults/when.ts';
import { mayMount } from '../../may-mount.ts';
import { useFaults } from './faults-world.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-15', 41, [
  ['a.bin', 3 * mebibyte],
  ['deep/b.bin', 3 * mebibyte],
  ['c.bin', 3 * mebibyte],
  ['empty', 0],
]);
/** It takes a moment to unpack. */
const large = generateMeasurement('run-16', 42, [
  ['a.bin', 24 * mebibyte],
  ['b.bin', 24 * mebibyte],
]);
const name = `${measurement.id}.zip`;
const wholes = { what: 'archive', unpack: true } as const;
const world = useFaults(measurement);

/** Waits for a moment of a run. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('an archive that is damaged', () => {
  test.each([
    ['unpacked', true],
    ['kept as it is', false],
  ])('once, and to be %s: another one is fetched and proven', async (_name, unpack) => {
    world.server.faults = [
      firstTimes(
        1,
        flipBit(100_000),
        ({ what, method, range }) => what === 'archive' && method === 'GET' && range?.[0] === 0,
      ),
    ];
    const plan = await world.scene.plan(world.server.url, { what: 'archive', unpack });
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    if (unpack) expect(world.scene.files()).toEqual(filesOf(measurement));
    else expect(world.scene.files()).toEqual(archiveOf(measurement));
    expect(world.lab.warningsOf(plan)).toEqual([
      expect.stringMatching(/a\.bin: its CRC-32 is not .*, [0-9a-f]{8}, but [0-9a-f]{8}; .*fetched again/),
    ]);
    expect((await world.lab.journal.standing(plan.id)).bytesDone).toBe(measurement.archiveBytes);
  });

  test.each([
    ['unpacked', true],
    ['kept as it is', false],
  ])(
    'always, and to be %s: fetched twice, then it has failed with both values, and nothing of it ever had a final name or stays',
    async (_name, unpack) => {
      world.server.faults = [forThose(({ what }) => what === 'archive', flipBit(100_000))];
      const plan = await world.scene.plan(world.server.url, { what: 'archive', unpack });
      mkdirSync(world.scene.target);
      const seen = new Set<string>();
      const names = watch(world.scene.target, (_event, file) => seen.add(file ?? ''));
      const message = expect.stringMatching(
        /wrong both times: a\.bin: its CRC-32 is not .*, [0-9a-f]{8}, but [0-9a-f]{8}/,
      ) as string;
      expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'failed', reason: 'bad-archive', message });
      await until(() => seen.size > 0);
      names.close();
      expect([...seen].filter((file) => !file.endsWith(partialEnding))).toEqual([]);
      expect(world.scene.files().size).toBe(0);
      expect(world.server.bytesSent()).toBe(2 * measurement.archiveBytes);
    },
  );
});

describe('what has the name of the archive already', () => {
  test('is not replaced, also when it comes while the archive does; when it is moved away, the archive gets its name and nothing is fetched again', async () => {
    await world.server.stop();
    world.server = await startFaultServer(measurement, { pace: 50_000_000 });
    const plan = await world.scene.plan(world.server.url, { what: 'archive' });
    const going = await world.scene.run(plan);
    await until(() => world.server.bytesSent() > mebibyte);
    const other = path.join(world.scene.target, name);
    mkdirSync(other);
    expect(await going.outcome).toMatchObject({
      kind: 'ask',
      reason: 'name-taken',
      message: expect.stringContaining(name) as string,
    });
    expect(readdirSync(world.scene.target).toSorted()).toEqual([name, `${name}${partialEnding}`]);
    rmdirSync(other);
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(archiveOf(measurement));
    expect(world.server.bytesSent()).toBe(measurement.archiveBytes);
  });

  test.each([
    ['kept', false],
    ['unpacked', true],
  ])('and is right is %s without being fetched, and stays', async (_name, unpack) => {
    await world.scene.untilEnd(await world.scene.plan(world.server.url, { what: 'archive' }));
    const before = world.server.bytesSent();
    expect(await world.scene.untilEnd(await world.scene.plan(world.server.url, { what: 'archive', unpack }))).toEqual({
      kind: 'done',
    });
    expect(world.server.bytesSent()).toBe(before);
    expect(world.scene.files()).toEqual(new Map([...archiveOf(measurement), ...(unpack ? filesOf(measurement) : [])]));
  });
});

describe('an archive that goes before it is unpacked', () => {
  test.each([
    ['with its folder', ''],
    ['alone', `${large.id}.zip${partialEnding}`],
  ])('%s: it asks, and is fetched once more, because not everything is there', async (_name, what) => {
    world.server.measurement = large;
    world.scene = world.lab.scene(large);
    const plan = await world.scene.plan(world.server.url, wholes);
    const going = await world.scene.run(plan);
    await until(() => existsSync(path.join(world.scene.target, `a.bin${partialEnding}`)));
    rmSync(path.join(world.scene.target, what), { recursive: true, maxRetries: 10 });
    expect(await going.outcome).toMatchObject({ kind: 'ask', reason: 'target-missing' });
    mkdirSync(world.scene.target, { recursive: true });
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(large));
    expect(world.lab.warningsOf(plan)).toEqual(['The archive is no longer there. It is fetched again.']);
  });

  test('each time: it is fetched once more, and not for ever', async () => {
    world.server.measurement = large;
    world.scene = world.lab.scene(large);
    const plan = await world.scene.plan(world.server.url, wholes);
    for (let time = 1; time <= 2; time += 1) {
      // Members unpacked before would not be unpacked again.
      for (const { path: file } of large.files) rmSync(path.join(world.scene.target, file), { force: true });
      const going = await world.scene.run(plan);
      await until(() => existsSync(path.join(world.scene.target, `a.bin${partialEnding}`)));
      rmSync(path.join(world.scene.target, `${large.id}.zip${partialEnding}`));
      expect(await going.outcome).toMatchObject({ kind: 'ask', reason: 'target-missing' });
    }
    const message = expect.stringMatching(/disappeared from its folder twice/) as string;
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'failed', reason: 'target-unwritable', message });
    expect(world.server.bytesSent()).toBe(2 * large.archiveBytes);
  });

  test('after everything is unpacked, which a kill may leave so: nothing is fetched again', async () => {
    const plan = await world.scene.plan(world.server.url, wholes);
    await world.scene.untilEnd(plan);
    const before = world.server.bytesSent();
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.server.bytesSent()).toBe(before);
    rmSync(path.join(world.scene.target, 'deep/b.bin'));
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
  });
});

describe('a server that leaves out', () => {
  test.each<[string, readonly Fault[]]>([
    ['the length', [noLength]],
    ['ranges and tag', [noRanges(measurement), noTag]],
    ['ranges, tag, length and chunks', [noRanges(measurement), noTag, forThose(bodies, lengthByClose)]],
    ['HEAD, with 405', [(asked, answer) => (asked.method === 'HEAD' ? bareAnswer(405, { allow: 'GET' }) : answer)]],
    ['HEAD, with 501', [(asked, answer) => (asked.method === 'HEAD' ? bareAnswer(501) : answer)]],
  ])('%s: the archive comes all the same, also when it is stopped midway', async (_name, faults) => {
    await world.server.stop();
    world.server = await startFaultServer(measurement, { pace: 20_000_000 });
    world.server.faults = [...faults];
    const plan = await world.scene.plan(world.server.url, wholes);
    const going = await world.scene.run(plan);
    await until(() => world.server.bytesSent() > 2 * mebibyte);
    // It is read for a checksum meanwhile, but that proves nothing of an archive.
    expect(going.progress().bytesVerified).toBe(0);
    going.stop();
    expect(await going.outcome).toEqual({ kind: 'stopped' });
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
  });
});

if (mayMount) {
  test.each([
    ['while it comes', 5],
    ['while it is unpacked', 14],
  ])(
    'a disk that runs full %s: it asks, and goes on with what is there when there is room',
    async (_name, mebibytes) => {
      const disk = path.join(world.scene.root, 'home');
      await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'benchport-test', disk]);
      try {
        const plan = await world.scene.plan(world.server.url, wholes);
        expect(await world.scene.untilEnd(plan)).toMatchObject({ kind: 'ask', reason: 'disk-full' });
        await run('mount', ['-o', 'remount,size=40m', disk]);
        expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
        expect(world.scene.files()).toEqual(filesOf(measurement));
        // Only bytes in flight when the disk became full were received twice.
        expect(world.server.bytesSent()).toBeLessThan(measurement.archiveBytes + 5 * mebibyte);
      } finally {
        await run('umount', ['--lazy', disk]);
      }
    },
  );
}
