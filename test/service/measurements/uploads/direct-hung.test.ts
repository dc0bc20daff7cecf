import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

const [versitygw] = makers;
const program = versitygw ? await findProgram(versitygw, true) : null;
if (versitygw && program !== null) {
  const world = useWorld(async (): Promise<DirectWorld & { readonly storage: RealStorage }> => {
    const storage = await startReal(versitygw, program);
    const started = await startDirectWorld(storage.settings);
    return {
      ...started,
      storage,
      end: async () => {
        storage.hang(false);
        await started.end();
        await storage.stop();
      },
    };
  });

  /**
   * Sends the rest of an upload as tus clients do: after a 409 they look again how much came, because
   * what an earlier request sent may still be arriving in the storage.
   */
  async function finish(address: string, archive: Buffer): Promise<void> {
    await expect
      .poll(async () => {
        const offset = await world.client.offset(address);
        return (await world.client.patch(address, offset, archive.subarray(offset))).status;
      })
      .toBe(204);
  }

  const isUp = async (): Promise<boolean> => (await fetch(`${world.service.url}/-/health`)).ok;

  test('a storage that hangs for a while delays an upload, and nothing else', async () => {
    const { body, archive } = manifestOf('hung', parts);
    const address = await begun(world.client, body);
    world.storage.hang(true);
    const sent = world.client.patch(address, 0, archive);
    for (let time = 0; time < 8; time += 1) {
      await wait(500);
      expect(await isUp()).toBe(true);
    }
    world.storage.hang(false);
    expect((await sent).status).toBe(204);
    await expectAvailable(world.client, 'hung', archive, parts);
    expect(await filesBelow(world.service.services.paths.library)).toEqual([]);
  });

  test('an upload that is given up while the storage hangs goes on afterwards', async () => {
    const { body, archive } = manifestOf('hung-given-up', parts);
    const address = await begun(world.client, body);
    expect((await world.client.patch(address, 0, archive.subarray(0, partBytes + 1000))).status).toBe(204);
    world.storage.hang(true);
    const sent = fetch(address, {
      method: 'PATCH',
      headers: {
        ...world.client.headers,
        'upload-offset': String(partBytes + 1000),
        'content-type': 'application/offset+octet-stream',
      },
      body: Uint8Array.from(archive.subarray(partBytes + 1000)),
      signal: AbortSignal.timeout(2000),
    });
    await expect(sent).rejects.toThrow('aborted');
    expect(await isUp()).toBe(true);
    world.storage.hang(false);
    expect(await world.client.offset(address)).toBeGreaterThanOrEqual(partBytes + 1000);
    await finish(address, archive);
    await expectAvailable(world.client, 'hung-given-up', archive, parts);
  });

  test.each([0, 20, 100, 300])(
    'an upload goes on when the storage was killed %i ms after its start',
    async (afterMs) => {
      const id = `killed-${afterMs}`;
      const { body, archive } = manifestOf(id, parts);
      const address = await begun(world.client, body);
      const sent = world.client.patch(address, 0, archive);
      await wait(afterMs);
      await world.storage.restart();
      const { status } = await sent;
      expect([204, 503]).toContain(status);
      if (status === 503) await finish(address, archive);
      await expectAvailable(world.client, id, archive, parts);
    },
  );
}
