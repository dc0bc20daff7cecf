import { expect, test } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { prepareRegistration } from '../../../../src-main/service/measurements/registration/register.ts';
import { begun, expectAvailable, filesBelow, parts } from '../../measurements/uploads/direct-world.ts';
import { manifestOf, uploadsBy } from '../../measurements/uploads/manifest-support.ts';
import { useWorld } from '../../use-service.ts';
import { startBodiesWorld } from './bodies-world.ts';

const world = useWorld(startBodiesWorld);

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
