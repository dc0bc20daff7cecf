import { describe, expect, test } from 'vitest';
import { closeBeforeHead, cutAfter } from '../../../faults/connection-faults.ts';
import type { Fault } from '../../../faults/exchange.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import {
  contentRange,
  ifRangeIgnored,
  lengthByClose,
  noLength,
  noRanges,
  noTag,
  otherTag,
  shifted,
  weakTag,
} from '../../../faults/header-faults.ts';
import { untruePieces } from '../../../faults/known-pieces.ts';
import { manifestText } from '../../../faults/manifest-faults.ts';
import { generateMeasurement, manifestOf } from '../../../faults/measurement.ts';
import { bodies, fileNumber, firstTimes, forThose } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';

const mebibyte = 1024 * 1024;
const length = 4 * mebibyte + 1;
const measurement = generateMeasurement('run-5', 15, [
  ['big.bin', length],
  ['small.txt', 700],
]);
/** The same files a day later, with other bytes. */
const later = generateMeasurement('run-5', 16, [
  ['big.bin', length],
  ['small.txt', 700],
]);
const world = useFaults(measurement);

const cutOften = firstTimes(6, cutAfter(300_000), bodies);
const finished = () => new Map([...world.scene.files()].filter(([file]) => !file.endsWith('.benchport-part')));

describe('what a server leaves out', () => {
  test.each<[string, readonly Fault[]]>([
    ['Content-Length', [noLength]],
    ['Content-Length and chunks', [forThose(bodies, lengthByClose)]],
    ['the entity tag', [noTag]],
    ['the strength of the tag', [weakTag]],
    ['ranges', [noRanges(measurement)]],
    ['ranges, tag and length', [noRanges(measurement), noTag, forThose(bodies, lengthByClose)]],
    ['a look at If-Range', [ifRangeIgnored(measurement)]],
  ])('%s: everything comes all the same, over broken connections too', async (_name, faults) => {
    world.server.faults = [...faults, cutOften];
    expect(await world.scene.untilEnd(await world.scene.plan(world.server.url))).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
  });
});

describe('Content-Range', () => {
  test.each<[string, string, Fault]>([
    ['is missing', 'bad-answer', contentRange(() => null)],
    [
      'is for another start',
      'bad-answer',
      contentRange((start, end, total) => `bytes ${start + 1}-${end - 1}/${total}`),
    ],
    ['is for another end', 'bad-answer', contentRange((start, end, total) => `bytes ${start}-${end}/${total}`)],
    [
      'is for another length',
      'length-mismatch',
      contentRange((start, end, total) => `bytes ${start}-${end - 1}/${total + 1}`),
    ],
    ['is no range', 'bad-answer', contentRange(() => 'bytes everything')],
    ['is for later bytes, and they come', 'bad-answer', shifted(measurement, 1)],
    ['is for earlier bytes, and they come', 'bad-answer', shifted(measurement, -4096)],
  ])('%s: refused before a byte of it is used (%s)', async (_name, reason, fault) => {
    world.server.faults = [fault];
    const plan = await world.scene.plan(world.server.url);
    expect(await world.scene.untilEnd(plan, 5)).toMatchObject({ kind: 'failed', reason: 'files-failed' });
    expect(world.lab.reasonOf(plan, 0)).toBe(reason);
    const pieces = (await world.lab.journal.pieces(plan.id, 0)).map(([start, end]) => ({ index: 0, start, end }));
    expect(untruePieces(measurement, world.scene.target, pieces)).toEqual([]);
    expect(finished()).toEqual(filesOf(measurement, (_path, index) => index === 1));
  });
});

describe('a file that changes midway', () => {
  /** Fetches a part of the big file, so that there is something to resume. */
  async function begun(chosen: readonly number[] | null = null) {
    const plan = await world.scene.plan(world.server.url, { chosen });
    let count = 0;
    world.server.faults = [
      forThose(fileNumber(0), (asked, answer) => (count++ < 3 ? cutAfter(400_000) : closeBeforeHead)(asked, answer)),
    ];
    await world.scene.untilEnd(plan, 1);
    expect(await world.lab.journal.pieces(plan.id, 0)).not.toEqual([]);
    return plan;
  }

  test('only its tag changes: it is fetched anew, and right', async () => {
    const plan = await begun();
    world.server.faults = [otherTag('"another"')];
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
  });

  test.each<[string, readonly Fault[]]>([
    ['a server that looks at If-Range', []],
    ['one that does not', [ifRangeIgnored(later)]],
    ['one that knows no tags', [noTag, ifRangeIgnored(later)]],
  ])('its bytes change, the manifest does not (%s): old and new are never mixed', async (_name, faults) => {
    const plan = await begun();
    const manifest = JSON.stringify(manifestOf(measurement));
    world.server.measurement = later;
    world.server.faults = [manifestText(() => manifest), ...faults];
    expect(await world.scene.untilEnd(plan)).toMatchObject({ kind: 'failed' });
    expect(finished().get('big.bin')).toBeUndefined();
  });

  test('the manifest changes in what was not chosen: refused, because it is another measurement; anew, what is right stays', async () => {
    const plan = await begun([0]);
    const [first, second] = manifestOf(measurement).files;
    world.server.faults = [
      manifestText(() => JSON.stringify({ ...manifestOf(measurement), files: [first, { ...second, crc32: 7 }] })),
    ];
    const before = world.server.bytesSent();
    expect(await world.scene.untilEnd(plan)).toMatchObject({ kind: 'failed', reason: 'manifest-changed' });
    expect(world.server.bytesSent()).toBe(before);
    expect(finished().size).toBe(0);
    expect(await world.scene.untilEnd(await world.scene.plan(world.server.url, { chosen: [0] }))).toEqual({
      kind: 'done',
    });
    expect([...finished().keys()]).toEqual(['big.bin']);
  });

  test('the manifest changes with it: refused', async () => {
    const plan = await begun();
    world.server.measurement = later;
    world.server.faults = [];
    const outcome = await world.scene.untilEnd(plan);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/manifest-changed|files-failed/) as string,
    });
    expect(finished().get('big.bin')).toBeUndefined();
  });
});
