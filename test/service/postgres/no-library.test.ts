import { expect, test } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { prepareRegistration } from '../../../src-main/service/measurements/registration/register.ts';
import { begun, expectAvailable, filesBelow, parts } from '../measurements/uploads/direct-world.ts';
import { manifestOf, uploadsBy } from '../measurements/uploads/manifest-support.ts';
import { startStandIn } from '../object-storage/stand-in.ts';
import { useWorld } from '../use-service.ts';
import { replicasOfTest } from './replicas-of-test.ts';

const world = useWorld(async () => {
  const standIn = await startStandIn();
  const replicas = await replicasOfTest({ library: false });
  const first = await replicas.start({ objectStorage: standIn.settings });
  const second = await replicas.start({ objectStorage: standIn.settings });
  const alice = await first.user('alice');
  return {
    standIn,
    replicas,
    first,
    second,
    alice,
    token: await first.token(alice, ['read_measurement', 'write_measurement', 'api']),
    end: async () => {
      await replicas.end();
      await standIn.close();
    },
  };
});

const noLibrary = { status: 422, type: 'no-library' };

async function refusalOf(response: Response): Promise<{ readonly status: number; readonly type: string }> {
  const { type } = (await response.json()) as { readonly type: string };
  return { status: response.status, type: type.slice(type.lastIndexOf(':') + 1) };
}

test('an upload begins at one replica, goes on at another, and nothing of it stays on either', async () => {
  const { first, second, token } = world;
  const { body, archive } = manifestOf('run-of-two', parts);
  const address = await begun(uploadsBy(first.url, token), body);
  const middle = 11 * 1024 * 1024;
  const at = async (url: string, from: number, bytes: Buffer) =>
    uploadsBy(url, token).patch(new URL(new URL(address).pathname, url).href, from, bytes);
  expect((await at(first.url, 0, archive.subarray(0, middle))).status).toBe(204);
  expect((await at(second.url, middle, archive.subarray(middle))).status).toBe(204);
  for (const { url } of [first, second]) await expectAvailable(uploadsBy(url, token), 'run-of-two', archive, parts);
  for (const { dir } of [first, second])
    await expect.poll(async () => (await filesBelow(path.join(dir, 'library'))).length, { timeout: 10_000 }).toBe(0);
});

test('an upload without a manifest is refused before any byte, with what to do instead', async () => {
  const { first, token } = world;
  const authorization = { authorization: `Bearer ${token}` };
  const whole = await fetch(`${first.url}/api/v4/measurements/whole/archive`, {
    method: 'PUT',
    headers: authorization,
    body: 'PK',
  });
  expect(await refusalOf(whole)).toEqual(noLibrary);
  const tus = await fetch(`${first.url}/api/v4/measurements/uploads`, {
    method: 'POST',
    headers: {
      ...authorization,
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': `id ${Buffer.from('tus').toString('base64')},filename ${Buffer.from('a.bin').toString('base64')}`,
    },
  });
  expect(await refusalOf(tus)).toEqual(noLibrary);
});

test('folders of a replica are not registered', async () => {
  const { first, alice } = world;
  const folder = path.join(first.dir, 'measured');
  await mkdir(folder);
  await writeFile(path.join(folder, 'a.bin'), 'a');
  await expect(prepareRegistration(first.services, { path: folder, ownerId: alice, copy: true })).rejects.toMatchObject(
    {
      status: 422,
      type: 'no-library',
    },
  );
});

test('a replica does not start where a measurement lies in the library', async () => {
  const { replicas, standIn, first } = world;
  await replicas.client.query(
    `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at)
     VALUES ('in-library', 'x', 'x', ${world.alice}, 'library', '', 'available', 0)`,
  );
  await expect(replicas.start({ objectStorage: standIn.settings })).rejects.toThrow(
    'The measurement in-library lies in the library',
  );
  await replicas.client.query(`DELETE FROM measurements WHERE id = 'in-library'`);
  expect((await fetch(`${first.url}/-/health`)).status).toBe(200);
});
