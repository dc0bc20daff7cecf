import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { readInternalLocation } from '../../../../src-main/service/measurements/download/x-accel-redirect.ts';
import { addMeasurement, type Fixture } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { startFront, type Front } from './nginx-front.ts';

export const size = 200_000;
export const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 9)) & 0xff));
// Each is what some step on the way could take for something else.
export const odd = [
  'a b.txt',
  'gr\u00fc\u00df.csv',
  '100%25.bin',
  'new\nline',
  'q?x=1&y#z',
  'back\\slash',
  '"quotes"',
  'semi;colon',
  '%2e%2e',
  '...',
  '+plus',
  "it's(1)*",
  '\u65e5\u672c',
];
const files = [
  ...odd.map((name) => ({ path: `sub folder/${name}`, bytes })),
  { path: 'empty', bytes: '' },
  { path: 'small', bytes: 'small' },
];
const names = files.map(({ path: name }) => name).toSorted((a, b) => (a < b ? -1 : 1));

const indexOf = (name: string): number => names.indexOf(name);
export const at = (name: string): string => `/measurements/m/files/${indexOf(name)}`;
export const plain = at('sub folder/a b.txt');

/** A service behind an nginx that sends the files of its measurement. */
export function useHandOver() {
  let dir: string;
  const scene = {} as { service: TestService; front: Front; fixture: Fixture; elsewhere: Fixture; token: string };

  beforeAll(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-nginx-'));
    const folder = path.join(dir, 'instrument', 'm');
    await mkdir(folder, { recursive: true });
    // Named by a link, as a folder of measurements often is.
    await symlink(folder, path.join(dir, 'link'));
    const place = readInternalLocation(`/benchport-files/=${dir}/link`);
    scene.service = await startTestService({
      baseUrl: 'https://bench.lab.example',
      trustedProxies: ['127.0.0.1'],
      internalLocations: [place],
    });
    const alice = await scene.service.user('alice');
    scene.token = await scene.service.token(alice);
    // Registered after the files were last written, as it is with instruments.
    scene.fixture = await addMeasurement({ ...scene.service, dir }, alice, 'm', files, Date.now() + 60_000);
    scene.elsewhere = await addMeasurement({ ...scene.service, dir }, alice, 'elsewhere', [{ path: 'a', bytes }]);
    scene.front = await startFront(dir, scene.service.port, path.join(dir, 'link'));
  });
  afterAll(async () => {
    await scene.front.end();
    await scene.service.end();
    await rm(dir, { recursive: true });
  });
  const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    scene.front.ask(url, { authorization: `Bearer ${scene.token}`, 'accept-encoding': 'gzip', ...headers }, method);

  return Object.assign(scene, { ask });
}
