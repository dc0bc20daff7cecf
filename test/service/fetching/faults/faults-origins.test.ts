import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startFaultServer, type FaultServer } from '../../../faults/fault-server.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { manifestWith } from '../../../faults/manifest-faults.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { circle, movedWithin, redirectTo } from '../../../faults/redirect-faults.ts';
import { bodies, forThose } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';

const measurement = generateMeasurement('run-6', 17, [
  ['big.bin', 300_000],
  ['small.txt', 700],
]);
const world = useFaults(measurement, { token: 'right', basePath: '/lab' });
let elsewhere: FaultServer;

beforeEach(async () => {
  // It would give everything to anybody, and it is another origin by its port alone.
  elsewhere = await startFaultServer(measurement, { basePath: '/lab' });
});
afterEach(async () => {
  await elsewhere.stop();
  // The token never reaches another origin; no request is sent there at all.
  expect(elsewhere.seen.map(({ asked, authorization }) => [asked.url, authorization])).toEqual([]);
});

const plan = (rest = {}) =>
  world.scene.plan(world.server.url, {
    source: { baseUrl: world.server.url, token: 'right', certificate: null },
    ...rest,
  });

test('a redirect within the server is followed', async () => {
  world.server.faults = [movedWithin];
  expect(await world.scene.untilEnd(await plan())).toEqual({ kind: 'done' });
  expect(world.scene.files()).toEqual(filesOf(measurement));
});

describe('a redirect that is not followed', () => {
  test.each<[string, (url: string) => string]>([
    ['to another port', (url) => `${elsewhere.url}${url.slice(4)}`],
    ['to another port without a scheme', (url) => `//${new URL(elsewhere.url).host}${url}`],
    [
      'to another name of the same machine',
      (url) => `${world.server.url.replace('127.0.0.1', 'localhost')}${url.slice(4)}`,
    ],
    ['out of the base path', () => '/other/measurements/run-6/files/0'],
    ['out of the base path with dots', () => '/lab/../other/measurements/run-6/files/0'],
    ['to a file of this machine', () => 'file:///etc/passwd'],
    ['to what is no address', () => 'http://['],
  ])('%s', async (_name, address) => {
    world.server.faults = [forThose(bodies, redirectTo(address, 307))];
    const outcome = await world.scene.untilEnd(await plan(), 3);
    expect(outcome.kind).not.toBe('done');
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/redirected|files-failed/) as string });
    expect(JSON.stringify(outcome)).not.toContain('right');
    expect(world.scene.files().has('big.bin')).toBe(false);
  });

  test('of the manifest, and in circles', async () => {
    world.server.faults = [redirectTo((url) => `${elsewhere.url}${url.slice(4)}`)];
    expect(await world.scene.untilEnd(await plan(), 3)).toMatchObject({ reason: 'redirected' });
    world.server.faults = [circle];
    expect(await world.scene.untilEnd(await plan(), 1)).toMatchObject({ reason: 'redirected' });
    expect(world.server.seen.length).toBeLessThan(15);
  });
});

test('links of the manifest that lead elsewhere are not followed', async () => {
  const hrefs = [
    `${elsewhere.url}/measurements/run-6/files/0`,
    `//${new URL(elsewhere.url).host}/lab/measurements/run-6/files/1`,
  ];
  world.server.faults = [
    manifestWith(measurement, (files) =>
      files.forEach((file, index) => Object.assign(file, { _links: { download: { href: hrefs[index] } } })),
    ),
  ];
  const outcome = await world.scene.untilEnd(await plan(), 3);
  // It may go by the interface's own addresses instead; then every byte has to be right.
  if (outcome.kind === 'done') expect(world.scene.files()).toEqual(filesOf(measurement));
  else expect(world.scene.files().size).toBe(0);
});
