import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeAbandoned } from '../../../../src-main/service/measurements/registration/remove.ts';
import { replicasOfTest, type Replicas } from '../../postgres/replicas-of-test.ts';

let replicas: Replicas;
beforeEach(async () => {
  replicas = await replicasOfTest();
});
afterEach(async () => replicas.end());

const soon = { timeout: 30_000, interval: 50 };

test('what living replicas copy and register is left alone, and what dead ones left is removed', async () => {
  const [service, other] = [await replicas.start(), await replicas.start()];
  const { paths, cluster, registrations } = service.services;
  const incoming = path.join(paths.library, 'incoming');
  await mkdir(incoming, { recursive: true });
  const ids = [cluster.replica()?.id, other.services.cluster.replica()?.id];
  const kept = [...ids.map((id) => `r${id}-copy`), `${process.pid}-copy`];
  for (const name of [...kept, 'r7777-copy']) await writeFile(path.join(incoming, name), 'bytes');
  const ownerId = await service.user('alice');
  const wish = { title: 'Run', ownerId, storage: 'library', root: '/' } as const;
  for (const id of ['new', 'old']) expect(await registrations.reserve({ ...wish, id })).toBe(true);
  await replicas.client.query("UPDATE measurements SET created_at = created_at - 600000 WHERE id = 'old'");
  await removeAbandoned(service.services);
  expect((await readdir(incoming)).toSorted()).toEqual(kept.toSorted());
  expect((await replicas.client.query('SELECT id FROM measurements')).rows).toEqual([{ id: 'new' }]);
});

test('another replica removes what has expired after the one that led has died', async () => {
  const leader = await replicas.spawn();
  const service = await replicas.start();
  const jobs = async () => (await replicas.client.query('SELECT id FROM jobs')).rowCount;
  const addExpired = async () => {
    const { id } = await service.services.jobs.create({
      kind: 'export',
      measurementId: 'run',
      userId: null,
      parameters: {},
    });
    await service.services.jobs.act(id, 'cancel', null);
    await replicas.client.query('UPDATE jobs SET ended_at = 1');
  };
  expect(service.services.cluster.leads()).toBe(false);
  await addExpired();
  await leader.signal('SIGKILL');
  expect(await jobs()).toBe(1);
  await expect.poll(jobs, soon).toBe(0);
  expect(service.services.cluster.leads()).toBe(true);
});
