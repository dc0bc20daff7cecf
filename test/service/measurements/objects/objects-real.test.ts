import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProgram, makers, startReal, type RealStorage } from '../../object-storage/real-storages.ts';
import { S3Storage } from '../../../../src-main/service/object-storage/s3-storage.ts';
import { useWorld } from '../../use-service.ts';
import { describeObjects, verify } from './objects-suite.ts';
import { bytesOf, names, joined, startObjectsWorld, type ObjectsWorld } from './objects-world.ts';

interface World extends ObjectsWorld {
  readonly storage: RealStorage;
}

async function keysOf({ settings }: RealStorage): Promise<readonly string[]> {
  const storage = new S3Storage(settings);
  const listed = await storage.list('measurements/', '', 100, AbortSignal.timeout(10_000));
  storage.close();
  for (const { modifiedAt } of listed) expect(Math.abs((modifiedAt ?? 0) - Date.now())).toBeLessThan(3600_000);
  return listed.map(({ key }) => key);
}

// The first is always built, in less than a minute; the second only where it was built before.
for (const [at, maker] of makers.entries()) {
  const program = await findProgram(maker, at === 0);
  if (program === null) continue;
  describe(`measurements in ${maker.name}`, () => {
    const world = useWorld(async (): Promise<World> => {
      const storage = await startReal(maker, program);
      const objects = await startObjectsWorld(storage.settings);
      return joined(objects, { storage }, () => storage.stop());
    });
    describeObjects(world, () => keysOf(world.storage));

    test('one bit that flips in its bucket is never sent', async () => {
      await world.upload('rotten');
      const all = await keysOf(world.storage);
      const kept = (await world.service.services.measurements.byId('rotten'))?.object_key ?? '';
      expect(all).toContain(kept);
      const file = path.join(world.storage.folder, 'lab', kept);
      await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
      const handle = await open(file, 'r+');
      const byte = Buffer.alloc(1);
      const position = 9 * 1024 * 1024;
      await handle.read(byte, 0, 1, position);
      await handle.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, position);
      await handle.close();
      expect((await world.get('/measurements/rotten', { range: `bytes=${position}-${position}` })).status).toBe(503);
      await expect(world.get('/measurements/rotten').then(bytesOf)).rejects.toThrow();
      expect(await verify(world, 'rotten')).toContain(`${names.length - 1} of ${names.length} files are unchanged`);
    });
  });
}
