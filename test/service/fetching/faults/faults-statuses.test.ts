import { describe, expect, test } from 'vitest';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { aPage, answerStatus, busyBeyond, noAccess } from '../../../faults/status-faults.ts';
import { bodies, fileNumber, firstTimes, forThose, manifests } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';

const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-3', 13, [
  ['a.bin', 2 * mebibyte],
  ['b.bin', 4000],
  ['c.bin', 5000],
]);
const world = useFaults(measurement, { token: 'first' });

const plan = (token = 'first') =>
  world.scene.plan(world.server.url, { source: { baseUrl: world.server.url, token, certificate: null } });

describe('a server that is busy or broken for a while', () => {
  test.each([500, 502, 503, 429])('%i', async (status) => {
    world.server.faults = [firstTimes(2, answerStatus(status), manifests), firstTimes(5, answerStatus(status), bodies)];
    expect(await world.scene.untilEnd(await plan())).toEqual({ kind: 'done' });
    expect(world.scene.files()).toEqual(filesOf(measurement));
  });

  test.each([
    [429, 'server-busy'],
    [503, 'server-busy'],
    [500, 'server-failed'],
  ])('%i for good: not failed, but later, and when it said so', async (status, reason) => {
    world.server.faults = [forThose(bodies, answerStatus(status, '7'))];
    expect(await world.scene.untilEnd(await plan(), 1)).toMatchObject({ kind: 'retry', reason, afterMs: 7000 });
    // It asks to wait: after the manifest, what is on its way over four connections is all that is asked.
    if (reason === 'server-busy') expect(world.server.seen.length).toBeLessThanOrEqual(1 + 4);
    world.server.faults = [answerStatus(status, new Date(Date.now() + 60_000).toUTCString())];
    const outcome = await world.scene.untilEnd(await plan(), 1);
    expect(outcome).toMatchObject({ kind: 'retry', reason });
    expect(outcome.kind === 'retry' ? outcome.afterMs : 0).toSatisfy(
      (after: number) => after > 50_000 && after <= 60_000,
    );
  });
});

test('refused on all connections but the last, which still reads on in the list: that one goes on, and nothing waits for ever', async () => {
  const openFiles = world.lab.journal.openFiles.bind(world.lab.journal);
  const refused = () => world.server.seen.filter(({ status }) => status === 429).length;
  world.server.faults = [firstTimes(3, answerStatus(429), bodies)];
  world.lab.journal.openFiles = async (id, after, limit) => {
    // After the last file: its response arrives when all others have given up.
    if (after >= 0) while (refused() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    if (after >= 0) await new Promise((resolve) => setTimeout(resolve, 100));
    return openFiles(id, after, limit);
  };
  try {
    expect(await world.scene.untilEnd(await plan(), 1)).toEqual({ kind: 'done' });
  } finally {
    world.lab.journal.openFiles = openFiles;
  }
});

test('a server that answers two at a time gets two connections, and everything comes in one go', async () => {
  const large = generateMeasurement('run-3', 14, [['a.bin', 24 * mebibyte]]);
  await world.server.stop();
  world.server = await startFaultServer(large, { token: 'first', pace: 40_000_000 });
  world.server.faults = [forThose(bodies, busyBeyond(2))];
  world.scene = world.lab.scene(large);
  expect(await world.scene.untilEnd(await plan(), 1)).toEqual({ kind: 'done' });
  expect(world.scene.files()).toEqual(filesOf(large));
  expect(world.server.seen.filter(({ status }) => status === 206).length).toBeGreaterThan(3);
  // It is not tried again and again.
  expect(world.server.seen.filter(({ status }) => status === 429).length).toBeLessThan(4);
});

describe('a server that refuses', () => {
  test('one file is gone, another is not what was registered: the rest comes, and both are named', async () => {
    world.server.faults = [forThose(fileNumber(1), answerStatus(404)), forThose(fileNumber(2), answerStatus(409))];
    const wanted = await plan();
    expect(await world.scene.untilEnd(wanted)).toMatchObject({ kind: 'failed', reason: 'files-failed' });
    expect(world.scene.files()).toEqual(filesOf(measurement, (path) => path === 'a.bin'));
  });

  test('the measurement is gone', async () => {
    world.server.faults = [answerStatus(404)];
    expect(await world.scene.untilEnd(await plan())).toMatchObject({ kind: 'failed', reason: 'not-found' });
  });

  test('without access it asks, and asks nobody else', async () => {
    world.server.faults = [forThose(bodies, noAccess)];
    expect(await world.scene.untilEnd(await plan())).toMatchObject({ kind: 'ask', reason: 'no-access' });
    expect(world.server.seen.length).toBeLessThan(8);
  });

  test('a page for signing in, instead of files and of the manifest', async () => {
    world.server.faults = [forThose(bodies, aPage)];
    const outcome = await world.scene.untilEnd(await plan(), 5);
    expect(outcome.kind).not.toBe('done');
    expect([...world.scene.files().keys()].filter((file) => !file.endsWith('.benchport-part'))).toEqual([]);
    world.server.faults = [aPage];
    expect(await world.scene.untilEnd(await plan(), 1)).toMatchObject({ reason: 'bad-manifest' });
  });
});

describe('a token', () => {
  test('that expires midway is asked for, and with the new one it goes on where it was', async () => {
    // After the first MiB the token becomes invalid; running responses are cut, as our own service
    // does.
    let sent = 0;
    world.server.faults = [
      (asked, answer) => ({
        ...answer,
        ending: asked.what === 'file' && sent > mebibyte ? 'cut' : 'end',
        body: (async function* body() {
          for await (const bytes of answer.body) {
            if (asked.what === 'file' && sent > mebibyte) {
              world.server.token = 'second';
              return;
            }
            sent += bytes.length;
            yield bytes;
          }
        })(),
      }),
    ];
    const wanted = await plan();
    expect(await world.scene.untilEnd(wanted)).toMatchObject({ kind: 'ask', reason: 'token-refused' });
    world.server.faults = [];
    const before = world.server.bytesSent();
    expect(await world.scene.untilEnd({ ...wanted, source: { ...wanted.source, token: 'second' } })).toEqual({
      kind: 'done',
    });
    expect(world.scene.files()).toEqual(filesOf(measurement));
    expect(world.server.bytesSent() - before).toBeLessThan(1.2 * mebibyte);
  });

  test('that is wrong from the start', async () => {
    const outcome = await world.scene.untilEnd(await plan('wrong'));
    expect(outcome).toMatchObject({ kind: 'ask', reason: 'token-refused' });
    expect(JSON.stringify(outcome)).not.toContain('wrong"');
  });
});
