import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutgoingTransfer } from '../../../../src-main/service/contract/sharing.ts';
import { replicasOfTest, type Replicas } from '../../postgres/replicas-of-test.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { RawClient } from '../../raw-client.ts';
import type { TestService } from '../../start.ts';
import { zeros } from '../../zeros.ts';

const length = 512 * 1024 * 1024;
const soon = { timeout: 30_000, interval: 50 };
let replicas: Replicas;
beforeEach(async () => {
  replicas = await replicasOfTest();
});
afterEach(async () => replicas.end());

interface Row {
  readonly outcome: string | null;
  readonly replica_id: string;
  readonly of_download: string;
}
const rows = async (): Promise<readonly Row[]> =>
  (
    await replicas.client.query<Row>(
      'SELECT transfers.outcome, transfers.replica_id, downloads.outcome AS of_download FROM transfers JOIN downloads ON downloads.id = download_id ORDER BY transfers.id',
    )
  ).rows;

/** A measurement with a large file, and a token of its owner. */
async function withMeasurement(service: TestService): Promise<{ readonly token: string; readonly userId: number }> {
  const userId = await service.user('alice');
  await addMeasurement(service, userId, 'm', [await zeros(service, 'm', 'long.bin', length)]);
  return { token: await service.token(userId), userId };
}

/** Begins a download and reads no further than its first megabyte. */
async function begin(url: string, token: string): Promise<RawClient> {
  const client = await RawClient.open(url);
  client.get('/measurements/m/files/0', `Authorization: Bearer ${token}`);
  await client.until(1024 * 1024);
  client.pause();
  expect(client.status).toBe(200);
  return client;
}

test('transfers of a replica that was killed are ended by the others, and no others', async () => {
  const doomed = await replicas.spawn();
  const service = await replicas.start();
  const { token } = await withMeasurement(service);
  await begin(doomed.url, token);
  const kept = await begin(service.url, token);
  await vi.waitFor(async () => expect((await rows()).map(({ outcome }) => outcome)).toEqual([null, null]), soon);
  // Once all transfers that have ids at its start were ended.
  await replicas.start();
  await doomed.signal('SIGKILL');
  await vi.waitFor(async () => {
    const [killed, running] = (await rows()).toSorted(
      (one, other) => Number(one.replica_id) - Number(other.replica_id),
    );
    expect(killed).toEqual({ outcome: 'killed', replica_id: String(doomed.replicaId), of_download: 'killed' });
    expect(running).toMatchObject({ outcome: null, of_download: 'running' });
    expect((await replicas.client.query('SELECT 1 FROM replicas WHERE ended_at IS NULL')).rowCount).toBe(2);
  }, soon);
  kept.socket.destroy();
  await vi.waitFor(async () => expect((await rows()).map(({ outcome }) => outcome)).toContain('client-closed'), soon);
});

test('a replica that was taken for dead ends its transfers and leaves the end that others recorded', async () => {
  const [service] = [await replicas.start(), await replicas.start()];
  const { token } = await withMeasurement(service);
  const client = await begin(service.url, token);
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ outcome: null }]), soon);
  const before = service.services.cluster.replica();
  // As the replica that leads does it.
  await replicas.client.query(
    `UPDATE transfers SET ended_at = 1, outcome = 'killed'; UPDATE downloads SET outcome = 'killed'; DELETE FROM replicas WHERE id = ${before?.id ?? 0}`,
  );
  client.socket.resume();
  await client.closed;
  expect(client.received).toBeLessThan(length);
  await vi.waitFor(
    async () => expect(await rows()).toMatchObject([{ outcome: 'killed', of_download: 'killed' }]),
    soon,
  );
  await begin(service.url, token);
  await vi.waitFor(
    async () =>
      expect(await rows()).toMatchObject([
        { outcome: 'killed', of_download: 'killed', replica_id: String(before?.id) },
        { outcome: null, of_download: 'running', replica_id: String(service.services.cluster.replica()?.id) },
      ]),
    soon,
  );
});

test('a revocation at one replica ends the transfers of the others', async () => {
  const [service, other] = [await replicas.start(), await replicas.start()];
  const { token } = await withMeasurement(service);
  const client = await begin(other.url, token);
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ outcome: null }]), soon);
  const answer = await fetch(`${service.url}/api/v4/personal_access_tokens/self`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(204);
  client.socket.resume();
  await client.closed;
  expect(client.received).toBeLessThan(length);
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ outcome: 'revoked' }]), soon);
});

test('an administrator sees the transfers of all replicas, and ends one at another replica', async () => {
  const [service, other] = [await replicas.start(), await replicas.start()];
  const { token } = await withMeasurement(service);
  const admin = await service.token(await service.user('bob', true), ['api']);
  const headers = { authorization: `Bearer ${admin}` };
  const clients = [await begin(service.url, token), await begin(other.url, token)];
  const list = async () =>
    (await (await fetch(`${service.url}/api/v4/transfers/running`, { headers })).json()) as OutgoingTransfer[];
  await expect.poll(async () => (await list()).length, soon).toBe(2);
  const [own, elsewhere] = (await list()).toSorted((one, two) => Number(two.bytes_total) - Number(one.bytes_total));
  expect(own).toMatchObject({ username: 'alice', measurement_id: 'm', path: 'long.bin', bytes_total: length });
  expect(elsewhere).toMatchObject({ username: 'alice', measurement_id: 'm', path: 'long.bin', bytes_total: null });
  const end = async (id?: number) =>
    (await fetch(`${service.url}/api/v4/transfers/running/${id}/end`, { method: 'POST', headers })).status;
  expect(await end(elsewhere?.id)).toBe(204);
  await clients[1]?.drain();
  await expect
    .poll(async () => new Set((await rows()).map(({ outcome }) => outcome)), soon)
    .toEqual(new Set([null, 'ended']));
  expect(clients[0]?.socket.destroyed).toBe(false);
  expect(await end(own?.id)).toBe(204);
  await clients[0]?.drain();
  await expect.poll(list, soon).toEqual([]);
  expect(await end(own?.id)).toBe(404);
});

test('a replica that was stopped for longer than the grace sends no more when it goes on', async () => {
  const service = await replicas.start();
  const { token } = await withMeasurement(service);
  const stopped = await replicas.spawn({ accessGraceMs: 1000 });
  const client = await begin(stopped.url, token);
  await stopped.signal('SIGSTOP');
  await setTimeout(1500);
  client.socket.resume();
  let before = -1;
  while (before !== client.received) {
    before = client.received;
    await setTimeout(300);
  }
  await stopped.signal('SIGCONT');
  await client.closed;
  // A write that the kernel had not taken yet.
  expect(client.received - before).toBeLessThanOrEqual(512 * 1024);
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ outcome: 'unconfirmed' }]), soon);
});
