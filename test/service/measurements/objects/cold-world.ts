import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach } from 'vitest';
import { useWorld } from '../../use-service.ts';
import { startStandIn, type StandIn } from '../../object-storage/stand-in.ts';
import { bytesOf, joined, names, startObjectsWorld, type ObjectsWorld } from './objects-world.ts';

export const mebibyte = 1024 * 1024;

interface World extends ObjectsWorld {
  readonly standIn: StandIn;
}

/** A service whose cache is smaller than a measurement. */
async function startCold(): Promise<World> {
  const standIn = await startStandIn();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-cache-'));
  const world = await startObjectsWorld(standIn.settings, { blockCache: { folder, maxBytes: 8 * mebibyte } });
  return joined(world, { standIn }, async () => {
    await standIn.close();
    await rm(folder, { recursive: true });
  });
}

export const large = names.indexOf('b/large.bin');

/** A measurement in an object storage of which the service has nothing cached. */
export function setUpColdWorld() {
  const world = useWorld(startCold);

  const scene = { archive: Buffer.alloc(0), key: '', admin: 0 } as { archive: Buffer; key: string; admin: number };

  beforeAll(async () => {
    scene.admin = await world.service.user('root', true);
    await world.upload('run-1');
    scene.archive = await bytesOf(await world.get('/measurements/run-1'));
    scene.key = [...world.standIn.objects.keys()].find((name) => name.endsWith('.zip')) ?? '';
  });

  beforeEach(() => {
    world.standIn.fault = () => null;
    world.standIn.objects.set(scene.key, scene.archive);
  });

  /** @returns the bytes received with a status of success, null for an error or a broken connection. */
  async function received(url: string, range?: string): Promise<Buffer | null> {
    try {
      const answer = await world.get(url, range === undefined ? {} : { range });
      const bytes = await bytesOf(answer);
      return answer.ok ? bytes : null;
    } catch {
      return null;
    }
  }

  return Object.assign(scene, { world, received });
}
