import { beforeEach, describe, expect, test } from 'vitest';
import { flipBit } from '../../../faults/body-faults.ts';
import {
  closeAfterAnswer,
  closeBeforeHead,
  cutAfter,
  hangBeforeHead,
  silentAfter,
  trickle,
} from '../../../faults/connection-faults.ts';
import type { Fault } from '../../../faults/exchange.ts';
import { startFaultServer, type FaultServer } from '../../../faults/fault-server.ts';
import { openFetchLab } from '../../../faults/fetch-lab.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../../../faults/measurement.ts';
import { selfSigned } from '../../../faults/self-signed.ts';
import { bodies, everyNth, firstTimes, forThose, manifests, whileOthersWait } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';
import { useWorld } from '../../use-service.ts';

const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-1', 11, [
  ['big.bin', 3 * mebibyte + 3],
  ['empty.dat', 0],
  ['notes/größe µm.txt', 12],
]);
const many = generateMeasurement('run-2', 12, smallFiles(150, 2000));
const world = useFaults(measurement, { token: 'right' });
/** A lab in which a silent server is lost after half a second. */
const hasty = useWorld(() => openFetchLab(500));

const source = (of: FaultServer) => ({ baseUrl: of.url, token: 'right', certificate: null });

async function fetched(faults: readonly Fault[], maxRuns?: number): Promise<void> {
  world.server.faults = faults;
  expect(
    await world.scene.untilEnd(await world.scene.plan(world.server.url, { source: source(world.server) }), maxRuns),
  ).toEqual({
    kind: 'done',
  });
  expect(world.scene.files()).toEqual(filesOf(measurement));
}

test('nothing wrong: every byte comes once', async () => {
  await fetched([], 1);
  expect(world.server.bytesSent()).toBe(3 * mebibyte + 3 + 12);
});

describe('connections that end', () => {
  test.each(['cut', 'reset'] as const)('each after 400 KiB (%s): what came is kept', async (how) => {
    await fetched([forThose(bodies, cutAfter(400 * 1024, how))]);
    // A reset may take bytes with it that were sent and not yet read.
    if (how === 'cut') expect(world.server.bytesSent()).toBeLessThan(3.2 * mebibyte);
  });

  test('before the head, every second one', () => fetched([everyNth(2, closeBeforeHead)]));

  test('in the manifest', () => fetched([firstTimes(3, cutAfter(100), manifests)]));

  test('kept ones, without a word, while the next request is on its way', async () => {
    const other = world.lab.scene(many);
    world.server.measurement = many;
    world.server.faults = [everyNth(3, closeAfterAnswer)];
    const plan = await other.plan(world.server.url, { source: source(world.server) });
    expect(await other.untilEnd(plan, 1)).toEqual({ kind: 'done' });
    expect(other.files()).toEqual(filesOf(many));
    // A request that a closed connection took along is asked once more, without a word; an answer that was lost with it counts as trouble.
    expect(world.lab.warningsOf(plan).length).toBeLessThan(10);
    expect(world.server.seen.length).toBeLessThan(300);
    other.mustBeClean();
  });

  test.each<[string, Fault]>([
    ['ends it', closeBeforeHead],
    ['gives wrong answers', flipBit(0)],
  ])('a server that %s when the next is asked for before an answer has come', async (_name, fault) => {
    const other = world.lab.scene(many);
    world.server.measurement = many;
    let times = 0;
    world.server.faults = [
      forThose(
        bodies,
        whileOthersWait((asked, answer) => {
          times += 1;
          return fault(asked, answer);
        }),
      ),
    ];
    expect(await other.untilEnd(await other.plan(world.server.url, { source: source(world.server) }), 1)).toEqual({
      kind: 'done',
    });
    expect(other.files()).toEqual(filesOf(many));
    expect(times).toBeGreaterThan(0);
    other.mustBeClean();
  });

  test('of the archive', async () => {
    world.server.faults = [firstTimes(5, cutAfter(300_000), bodies)];
    const plan = await world.scene.plan(world.server.url, {
      source: source(world.server),
      what: 'archive',
      unpack: true,
    });
    expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
    expect(world.server.bytesSent()).toBeLessThan(measurement.archiveBytes + mebibyte);
  });
});

describe('connections that say nothing', () => {
  beforeEach(() => {
    world.scene = hasty.scene(measurement);
  });

  test('before the head', () => fetched([firstTimes(3, hangBeforeHead, bodies)]));
  test('after some bytes', () => fetched([firstTimes(3, silentAfter(70_000), bodies)]));

  test('for ever: it goes on later, and says that the server is silent', async () => {
    world.server.faults = [hangBeforeHead];
    const outcome = await world.scene.untilEnd(
      await world.scene.plan(world.server.url, { source: source(world.server) }),
      1,
    );
    expect(outcome).toMatchObject({ kind: 'retry', reason: 'unreachable' });
    expect(world.scene.files().size).toBe(0);
  });

  test('byte by byte: it is stopped at once, and what came is kept', async () => {
    const plan = await world.scene.plan(world.server.url, { source: source(world.server) });
    world.server.faults = [forThose(bodies, trickle(30))];
    const run = await world.scene.run(plan);
    while (run.progress().bytesReceived < 5) await new Promise((resolve) => setTimeout(resolve, 10));
    run.stop();
    expect(await run.outcome).toEqual({ kind: 'stopped' });
    await fetched([]);
  });
});

test('over TLS small files are asked for before others have come, too, and nothing is asked of a server with another certificate', async () => {
  const { cert, key, sha256 } = selfSigned();
  const other = world.lab.scene(many);
  const secure = await startFaultServer(many, { token: 'right', tls: { cert, key } });
  let times = 0;
  secure.faults = [
    everyNth(20, closeAfterAnswer),
    forThose(
      bodies,
      whileOthersWait((_asked, answer) => {
        times += 1;
        return answer;
      }),
    ),
  ];
  const trusting = (certificate: string) => other.plan(secure.url, { source: { ...source(secure), certificate } });
  try {
    expect(await other.untilEnd(await trusting('ab'.repeat(32)), 1)).toMatchObject({
      kind: 'ask',
      reason: 'certificate',
    });
    expect(secure.seen).toEqual([]);
    expect(await other.untilEnd(await trusting(sha256), 1)).toEqual({ kind: 'done' });
    expect(other.files()).toEqual(filesOf(many));
    expect(times).toBeGreaterThan(0);
    other.mustBeClean();
  } finally {
    await secure.stop();
  }
});

test('a server that is not there, and comes back at the same port', async () => {
  const { port } = new URL(world.server.url);
  await world.server.stop();
  const plan = await world.scene.plan(world.server.url, { source: source(world.server) });
  expect(await world.scene.untilEnd(plan, 1)).toMatchObject({ kind: 'retry', reason: 'unreachable' });
  world.server = await startFaultServer(measurement, { port: Number(port), token: 'right' });
  expect(await world.scene.untilEnd(plan)).toEqual({ kind: 'done' });
  expect(world.scene.files()).toEqual(filesOf(measurement));
});
