import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startStandIn, type StandIn } from '../../object-storage/stand-in.ts';
import { useWorld } from '../../use-service.ts';
import {
  begun,
  expectAvailable,
  filesBelow,
  mebibyte,
  partBytes,
  parts,
  startDirectWorld,
  type DirectWorld,
} from './direct-world.ts';
import { expectRefused, manifestOf, withOtherBit } from './manifest-support.ts';

const world = useWorld(async (): Promise<DirectWorld & { readonly standIn: StandIn }> => {
  const standIn = await startStandIn();
  const started = await startDirectWorld(standIn.settings);
  return {
    ...started,
    standIn,
    end: async () => {
      await started.end();
      await standIn.close();
    },
  };
});

const library = (): string => world.service.services.paths.library;
const objectsOf = (prefix: string): readonly string[] =>
  [...world.standIn.objects.keys()].filter((key) => key.startsWith(`/bench/${prefix}`));

/** Nothing of an upload is left where bytes can be. */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(() => [...objectsOf('uploads/'), ...world.standIn.uploads.keys()]).toEqual([]);
  await expect
    .poll(async () => [
      ...(await filesBelow(library())),
      ...(await filesBelow(path.join(world.service.services.paths.staging, 'uploads'))),
    ])
    .toEqual([]);
}

describe('an upload with a manifest where there is an object storage', () => {
  test('goes there while it comes, and never into the library', async () => {
    const { body, archive } = manifestOf('whole', parts);
    const address = await begun(world.client, body);
    const half = partBytes + 3 * mebibyte;
    expect((await world.client.patch(address, 0, archive.subarray(0, half))).status).toBe(204);
    expect(await filesBelow(library())).toEqual([]);
    const [upload] = world.standIn.uploads.values();
    expect([...(upload?.parts.values() ?? [])].map((part) => part.length)).toEqual([partBytes]);
    const [tail] = objectsOf('uploads/').filter((key) => key.includes('tail'));
    expect(world.standIn.objects.get(tail ?? '')?.length).toBe(3 * mebibyte);
    const sent = await world.client.patch(address, half, archive.subarray(half));
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, String(archive.length)]);
    await expectAvailable(world.client, 'whole', archive, parts);
    const [object] = objectsOf('measurements/').filter((key) => key.endsWith('.zip'));
    expect(world.standIn.objects.get(object ?? '')?.equals(archive)).toBe(true);
    await expectNothingLeft();
  });

  test('is sent to the storage once: no byte of it is copied afterwards', async () => {
    const { body, archive } = manifestOf('once', parts);
    const address = await begun(world.client, body);
    world.standIn.requests.length = 0;
    await world.client.patch(address, 0, archive);
    await expectAvailable(world.client, 'once', archive, []);
    const puts = world.standIn.requests.filter((line) => line.startsWith('PUT') && line.endsWith('.zip'));
    expect(puts).toHaveLength(Math.ceil(archive.length / partBytes));
  });

  test.each([
    ['of no files', []],
    ['of empty files', [0, 1, 2].map((at) => ({ path: `e${at}`, bytes: Buffer.alloc(0) }))],
    ['below one part', [{ path: 'a.bin', bytes: randomBytes(5000) }]],
    ['of exactly one part', [{ path: 'a.bin', bytes: randomBytes(partBytes - overhead()) }]],
    ['of exactly two parts', [{ path: 'a.bin', bytes: randomBytes(2 * partBytes - overhead()) }]],
    ['of one part and a byte', [{ path: 'a.bin', bytes: randomBytes(partBytes - overhead() + 1) }]],
  ])('%s', async (what, files) => {
    const id = `small-${what.replaceAll(' ', '-')}`;
    const { body, archive } = manifestOf(id, files);
    if (what.includes('exactly')) expect(archive.length % partBytes).toBe(0);
    const address = await begun(world.client, body);
    expect((await world.client.patch(address, 0, archive)).status).toBe(204);
    await expectAvailable(world.client, id, archive, files);
    await expectNothingLeft();
  });

  test('goes on after a hundred cuts', async () => {
    const { body, archive } = manifestOf('cuts', parts);
    const address = await begun(world.client, body);
    const borders = [0, 1, 39, 100, partBytes - 1, partBytes, partBytes + 1, 2 * partBytes, archive.length - 1];
    const random = Array.from({ length: 100 - borders.length }, () => Math.floor(Math.random() * archive.length));
    const cuts = [...borders, ...random].toSorted((a, b) => a - b);
    for (const [at, from] of cuts.entries()) {
      expect(await world.client.offset(address)).toBe(from);
      const sent = await world.client.patch(address, from, archive.subarray(from, cuts[at + 1] ?? archive.length));
      expect(sent.status).toBe(204);
    }
    await expectAvailable(world.client, 'cuts', archive, parts);
    await expectNothingLeft();
  });

  test('sixteen at once', async () => {
    const ids = Array.from({ length: 16 }, (_, at) => `many-${at}`);
    await Promise.all(
      ids.map(async (id) => {
        const { body, archive } = manifestOf(id, parts.slice(0, 3));
        const address = await begun(world.client, body);
        expect((await world.client.patch(address, 0, archive)).status).toBe(204);
        await expectAvailable(world.client, id, archive, []);
      }),
    );
    await expectNothingLeft();
  });

  test('its manifest has the checksums that were announced', async () => {
    const { files } = (await (await world.client.fetched('/measurements/whole/files')).json()) as {
      files: { sha256: string }[];
    };
    const { document } = manifestOf('whole', parts);
    expect(files.map(({ sha256 }) => sha256)).toEqual(document.manifest.map((entry) => entry['sha256']));
  });
});

describe('refused, with nothing left', () => {
  test.each([
    ['a byte of a header', 3, 'before a/empty.txt'],
    ['a byte of a file whose part is stored before the file ends', 6_000_000, 'a/scan.bin came with other bytes'],
    ['a byte of the directory', -50, 'after its files'],
  ])('%s is another one', async (_what, at, text) => {
    const { body, archive } = manifestOf('altered', parts);
    const address = await begun(world.client, body);
    await expectRefused(world.client, address, withOtherBit(archive, at), text);
    await expectNothingLeft();
    expect((await world.client.fetched('/measurements/altered')).status).toBe(404);
    expect((await world.client.patch(address, 0, archive)).status).toBe(410);
  });

  test('what its owner gives up', async () => {
    const { body, archive } = manifestOf('given-up', parts);
    const address = await begun(world.client, body);
    await world.client.patch(address, 0, archive.subarray(0, partBytes + 1000));
    expect(world.standIn.uploads.size).toBe(1);
    const removed = await fetch(address, { method: 'DELETE', headers: world.client.headers });
    expect(removed.status).toBe(204);
    await expectNothingLeft();
    expect((await fetch(address, { method: 'DELETE', headers: world.client.headers })).status).toBe(404);
  });
});

/** Bytes of an archive of one file with a name of five letters, beside those of the file. */
function overhead(): number {
  return manifestOf('x', [{ path: 'a.bin', bytes: Buffer.alloc(0) }]).archive.length;
}
