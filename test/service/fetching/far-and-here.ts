import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { addMeasurement, type FixtureFile } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';

/** A service that others fetch from, and one that fetches from it. */
export interface FarAndHere {
  far: TestService;
  here: TestService;
  /** A folder to fetch into. */
  dir: string;
  /** The number that the far service has here, and the token of alice there. */
  serverId: number;
  token: string;
  /** Further folders to remove after the test. */
  readonly left: string[];
}

/** A service with a measurement of alice, and for each test a new one that knows it as a server. */
export function useFarAndHere(id: string, files: readonly FixtureFile[]): FarAndHere {
  const pair = { left: [] as string[] } as FarAndHere;
  beforeAll(async () => {
    pair.far = await startTestService();
    const alice = await pair.far.user('alice');
    pair.token = await pair.far.token(alice, ['read_measurement']);
    await addMeasurement(pair.far, alice, id, files);
  });
  afterAll(() => pair.far.end());
  beforeEach(async () => {
    pair.here = await startTestService();
    await pair.here.user('alice', true);
    pair.dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-fetches-'));
    const { servers, events } = pair.here.services;
    const lab = { name: 'Lab', base_url: pair.far.url, certificate: null, token: pair.token };
    pair.serverId = (await servers.create(lab))?.id ?? 0;
    events.emit('changed', { topic: 'servers' });
  });
  afterEach(async () => {
    await pair.here.end();
    for (const folder of [pair.dir, ...pair.left.splice(0)]) await rm(folder, { recursive: true, force: true });
  });
  return pair;
}
