import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { flipBit } from '../../../faults/body-faults.ts';
import { bytesOf } from '../../../faults/content.ts';
import { bareAnswer, type Fault } from '../../../faults/exchange.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { piecesAsked, withPieces } from '../../../faults/pieces-faults.ts';
import { fileNumber, firstTimes, forThose } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';

const mebibyte = 1024 * 1024;
const pieceLength = 4 * mebibyte;
const length = 41 * mebibyte + 5;
const measurement = generateMeasurement('run-9', 15, [['big.bin', length]]);
const world = useFaults(measurement);
const mine = fileNumber(0);

async function run(faults: readonly Fault[]) {
  world.server.faults = faults;
  const plan = await world.scene.plan(world.server.url);
  const outcome = await world.scene.untilEnd(plan, 4);
  return { outcome, reason: world.lab.reasonOf(plan, 0), warnings: world.lab.warningsOf(plan) };
}

/** Bytes of the file that were sent beyond its length. */
const again = (): number =>
  world.server.seen.filter(({ asked }) => mine(asked)).reduce((sum, { bytesSent }) => sum + bytesSent, 0) - length;

/** One wrong bit in the first responses that have that byte. */
const wrongOnce = (position: number): Fault =>
  firstTimes(1, flipBit(position), (asked) => mine(asked) && has(asked.range, position));
const has = (range: readonly [number, number] | null, at: number) =>
  range === null || (range[0] <= at && at < range[1]);

describe('one wrong bit in a large file', () => {
  test.each([0, 9 * mebibyte + 17, pieceLength - 1, pieceLength, length - 1])(
    'at byte %d costs one piece more',
    async (position) => {
      const { outcome, warnings } = await run([withPieces(measurement, pieceLength), wrongOnce(position)]);
      expect(outcome).toEqual({ kind: 'done' });
      expect(world.scene.files()).toEqual(filesOf(measurement));
      expect(again()).toBe(Math.min(pieceLength, length - Math.floor(position / pieceLength) * pieceLength));
      expect(warnings).toEqual([expect.stringMatching(/1 piece of 11 is wrong, and fetched again\.$/)]);
    },
  );

  test('in three places costs three pieces', async () => {
    const places = [1, 20 * mebibyte, 33 * mebibyte];
    const { outcome } = await run([withPieces(measurement, pieceLength), ...places.map(wrongOnce)]);
    expect(outcome).toEqual({ kind: 'done' });
    expect(again()).toBe(3 * pieceLength);
  });

  test('that comes again fails, as without pieces', async () => {
    const { outcome, reason } = await run([
      withPieces(measurement, pieceLength),
      forThose(mine, flipBit(5 * mebibyte)),
    ]);
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(reason).toBe('checksum-mismatch');
    expect(again()).toBe(pieceLength);
  });

  test('is repaired when the list comes at the second attempt', async () => {
    const { outcome } = await run([
      withPieces(measurement, pieceLength),
      firstTimes(1, () => bareAnswer(503), piecesAsked),
      wrongOnce(7),
    ]);
    expect(outcome).toEqual({ kind: 'done' });
    expect(again()).toBe(pieceLength);
  });
});

/** The hash of the third piece as it comes with its wrong bit. */
function hashOfWrong(): string {
  const bytes = bytesOf(measurement.files[0]?.seed ?? 0, 2 * pieceLength, 3 * pieceLength);
  bytes[mebibyte] = (bytes[mebibyte] ?? 0) ^ 1;
  return hash('sha256', bytes);
}

describe('the whole file is fetched again where the server', () => {
  const lies: readonly (readonly [string, Fault])[] = [
    ['has no pieces', (_asked, answer) => answer],
    ['lists too few', withPieces(measurement, pieceLength, (list) => ({ ...list, sha256: list.sha256.slice(1) }))],
    ['lists no text', withPieces(measurement, pieceLength, (list) => ({ ...list, sha256: list.sha256.map(() => 7) }))],
    ['names tiny pieces', withPieces(measurement, pieceLength, (list) => ({ ...list, pieceLength: 1 }))],
    ['names no length', withPieces(measurement, pieceLength, ({ sha256 }) => ({ sha256 }))],
    [
      'says that all is right',
      withPieces(measurement, pieceLength, (list) => ({ ...list, sha256: list.sha256.with(2, hashOfWrong()) })),
    ],
    [
      'says that all is wrong',
      withPieces(measurement, pieceLength, (list) => ({ ...list, sha256: list.sha256.map(() => '0'.repeat(64)) })),
    ],
    ['sends no JSON', forThose(piecesAsked, () => bareAnswer(200, {}, '<html>'))],
    ['is broken there', forThose(piecesAsked, () => bareAnswer(500))],
  ];
  test.each(lies)('%s', async (_name, lie) => {
    const { outcome } = await run([lie, wrongOnce(9 * mebibyte)]);
    expect(outcome).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
    expect(again()).toBe(length);
  });
});
