import { describe, expect, test } from 'vitest';
import { cleanlyShort, endless, flipBit, gzipped, shortUntilClose, tooMany } from '../../../faults/body-faults.ts';
import type { Fault } from '../../../faults/exchange.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { manifestText } from '../../../faults/manifest-faults.ts';
import { generateMeasurement, manifestOf } from '../../../faults/measurement.ts';
import { noRanges } from '../../../faults/header-faults.ts';
import { bodies, fileNumber, firstTimes, forThose } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';

const mebibyte = 1024 * 1024;
const length = 3 * mebibyte + 5;
const measurement = generateMeasurement('run-4', 14, [
  ['big.bin', length],
  ['small.txt', 700],
]);
const others = filesOf(measurement, (_path, index) => index !== 0);
const world = useFaults(measurement);

async function run(faults: readonly Fault[], maxRuns = 4) {
  world.server.faults = faults;
  return world.scene.untilEnd(await world.scene.plan(world.server.url), maxRuns);
}

/** Files under their final names. */
const finished = () => new Map([...world.scene.files()].filter(([file]) => !file.endsWith('.benchport-part')));

describe('now and then', () => {
  test.each<[string, Fault]>([
    ['cleanly ended too early', cleanlyShort(1000)],
    ['ended too early with the connection', shortUntilClose(1)],
    ['more bytes than announced', tooMany(1000)],
    ['a wrong bit in big files and small ones', flipBit(200)],
    ['a wrong bit far in', flipBit(2 * mebibyte)],
  ])('%s', async (_name, fault) => {
    expect(await run([firstTimes(2, fault, bodies)], 20)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
    expect(world.server.bytesSent()).toBeLessThan(3 * length);
  });
});

describe('always', () => {
  test('a wrong bit: once more from scratch, then the file has failed with both values, and the others are there', async () => {
    const plan = await world.scene.plan(world.server.url);
    world.server.faults = [forThose(fileNumber(0), flipBit(mebibyte))];
    expect(await world.scene.untilEnd(plan)).toMatchObject({ kind: 'failed', reason: 'files-failed' });
    expect(world.lab.reasonOf(plan, 0)).toBe('checksum-mismatch');
    expect(finished()).toEqual(others);
    expect(world.server.bytesSent()).toBe(2 * length + 700);
    // Trying the whole fetch again is no third time by itself.
    await world.scene.untilEnd(plan);
    expect(finished()).toEqual(others);
  });

  test('a wrong bit, and a manifest without SHA-256: CRC-32 finds it', async () => {
    const text = JSON.stringify(manifestOf(measurement, false));
    expect(await run([manifestText(() => text), forThose(fileNumber(0), flipBit(length - 1))])).toMatchObject({
      kind: 'failed',
      reason: 'files-failed',
    });
    expect(finished()).toEqual(others);
  });

  test.each<[string, Fault]>([
    ['cleanly ended too early', cleanlyShort(1)],
    ['ended too early with the connection', shortUntilClose(1)],
  ])('%s, without ranges: never under its final name', async (_name, fault) => {
    const outcome = await run([forThose(fileNumber(0), noRanges(measurement)), forThose(fileNumber(0), fault)]);
    expect(outcome.kind).not.toBe('done');
    expect(finished()).toEqual(others);
  });

  test.each<[string, readonly Fault[]]>([
    ['with ranges', []],
    ['without ranges', [noRanges(measurement)]],
  ])('bytes without an end (%s): no more are taken than the file has', async (_name, before) => {
    const outcome = await run([...before, forThose(fileNumber(0), endless)], 3);
    expect(world.server.bytesSent()).toBeLessThan(120 * mebibyte);
    if (outcome.kind === 'done') expect(world.scene.files()).toEqual(filesOf(measurement));
    else expect(finished()).toEqual(others);
  });

  test('packed bodies are refused in words', async () => {
    expect(await run([forThose(bodies, gzipped)])).toMatchObject({
      reason: expect.stringMatching(/bad-answer|files-failed/) as string,
    });
    expect(finished().size).toBe(0);
  });
});
