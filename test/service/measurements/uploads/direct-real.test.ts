import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { textsIn } from '../../../../src-main/service/object-storage/s3-answers.ts';
import { S3Client, s3Timeouts } from '../../../../src-main/service/object-storage/s3-client.ts';
import { S3Storage } from '../../../../src-main/service/object-storage/s3-storage.ts';
import { findProgram, makers, startReal, type RealStorage } from '../../object-storage/real-storages.ts';
import { useWorld } from '../../use-service.ts';
import {
  begun,
  expectAvailable,
  filesBelow,
  partBytes,
  parts,
  startDirectWorld,
  type DirectWorld,
} from './direct-world.ts';
import { manifestOf } from './manifest-support.ts';

const { signal } = new AbortController();

/** Objects of uploads, and uploads in parts that were begun, as the storage lists them. */
async function leftIn({ settings }: RealStorage): Promise<readonly string[]> {
  const [storage, client] = [new S3Storage(settings), new S3Client(settings, s3Timeouts)];
  const objects = await storage.list('uploads/', '', 100, signal);
  const uploads = await client.send({ method: 'GET', key: '', query: { uploads: '' } }, signal);
  storage.close();
  client.close();
  return [...objects.map(({ key }) => key), ...textsIn(uploads, 'UploadId')];
}

// The first is always built, the second only used where it was built before.
for (const [at, maker] of makers.entries()) {
  const program = await findProgram(maker, at === 0);
  if (program === null) continue;
  const world = useWorld(async (): Promise<DirectWorld & { readonly storage: RealStorage }> => {
    const storage = await startReal(maker, program);
    const started = await startDirectWorld(storage.settings);
    return {
      ...started,
      storage,
      end: async () => {
        await started.end();
        await storage.stop();
      },
    };
  });

  test.each([
    ['of several parts, cut at a few places', parts],
    ['of exactly two parts', [{ path: 'a.bin', bytes: randomBytes(2 * partBytes - overhead()) }]],
    ['below one part', [{ path: 'a.bin', bytes: randomBytes(5000) }]],
    ['of no files', []],
  ])(`in ${maker.name}: an upload %s has the bytes of its archive, and leaves nothing else`, async (what, files) => {
    const id = `real-${what.replaceAll(/[ ,]+/g, '-')}`;
    const { body, archive } = manifestOf(id, files);
    const address = await begun(world.client, body);
    const cuts = [0, 1, partBytes - 1, partBytes + 10, archive.length - 1].filter((cut) => cut < archive.length);
    for (const [index, from] of cuts.entries()) {
      const sent = await world.client.patch(address, from, archive.subarray(from, cuts[index + 1] ?? archive.length));
      expect(sent.status).toBe(204);
    }
    await expectAvailable(world.client, id, archive, files);
    await expect.poll(async () => leftIn(world.storage)).toEqual([]);
    expect(await filesBelow(world.service.services.paths.library)).toEqual([]);
  });

  test(`in ${maker.name}: an upload that is given up leaves no part`, async () => {
    const { body, archive } = manifestOf('given-up', parts);
    const address = await begun(world.client, body);
    await world.client.patch(address, 0, archive.subarray(0, partBytes + 1000));
    expect((await leftIn(world.storage)).length).toBeGreaterThan(1);
    expect((await fetch(address, { method: 'DELETE', headers: world.client.headers })).status).toBe(204);
    expect(await leftIn(world.storage)).toEqual([]);
  });
}

/** Bytes of an archive of one file with a name of five letters, beside those of the file. */
function overhead(): number {
  return manifestOf('x', [{ path: 'a.bin', bytes: Buffer.alloc(0) }]).archive.length;
}
