import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migratePostgres } from '../../../../src-main/service/database/postgres/migrate.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { execute } from '../../postgres/database.ts';
import { replicasOfTest, type Replicas } from '../../postgres/replicas-of-test.ts';
import { createServer, removeServer, type PostgresServer } from '../../postgres/server.ts';
import { RawClient } from '../../raw-client.ts';
import { zeros } from '../../zeros.ts';

const length = 2 * 1024 * 1024 * 1024;
let server: PostgresServer;
let replicas: Replicas;
beforeEach(async () => {
  server = await createServer(await mkdtemp(path.join(os.tmpdir(), 'benchport-without-')), ['fsync = off']);
  await execute(server.url('postgres'), 'CREATE DATABASE bench');
  await migratePostgres(server.url('bench'));
  replicas = await replicasOfTest({
    made: { url: server.url('bench'), remove: async () => removeServer(server) },
  });
});
afterEach(async () => replicas.end());

test('without its database a replica refuses what it cannot decide, and running transfers end after the grace', async () => {
  const service = await replicas.start({ accessGraceMs: 10_000 });
  const alice = await service.user('alice');
  await addMeasurement(service, alice, 'm', [await zeros(service, 'm', 'long.bin', length)]);
  const token = await service.token(alice);
  const client = await RawClient.open(service.url);
  client.get('/measurements/m/files/0', `Authorization: Bearer ${token}`);
  await client.until(1024 * 1024);
  client.pause();
  const rows = async () =>
    (await service.services.transfers.ofMeasurement('m', 9, 0)).rows.filter(({ what }) => what === 'file');
  await expect.poll(async () => (await rows()).length).toBe(1);

  server.control('stop', '-m', 'fast');
  const headers = { authorization: `Bearer ${token}` };
  // A request waits some seconds for a primary to come back.
  const refused = await fetch(`${service.url}/measurements/m`, { headers });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(client.socket.destroyed).toBe(false);
  const before = client.received;
  client.resume();
  // More than the kernel holds.
  await client.until(before + 32 * 1024 * 1024);
  expect(client.socket.destroyed).toBe(false);
  while (!client.socket.destroyed) {
    client.pause();
    await setTimeout(200);
    client.resume();
    await setTimeout(5);
  }
  expect(client.received).toBeLessThan(length);

  server.control('start', '-l', path.join(server.dir, 'log'));
  await expect
    .poll(async () => (await fetch(`${service.url}/measurements/m`, { method: 'HEAD', headers })).status, {
      timeout: 30_000,
    })
    .toBe(200);
  // Its lease may have ended meanwhile.
  await expect.poll(async () => (await rows())[0]?.outcome, { timeout: 30_000 }).toMatch(/unconfirmed|killed/);
});
