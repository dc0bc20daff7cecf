import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RawClient } from '../service/raw-client.ts';
import { isThorough, repeated } from './rounds.ts';
import { startCluster, type ReplicaProcess, type TestCluster } from './cluster.ts';
import { expectNoLoss, large, load, prepare } from './load.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

let cluster: TestCluster;
afterEach(async () => {
  for (const { child } of cluster.replicas) child.kill('SIGCONT');
  await cluster.end();
});

function second(): ReplicaProcess {
  const replica = cluster.replicas[1];
  if (!replica) throw new Error('no replica');
  return replica;
}

describe.each(['nginx', 'haproxy'] as const)('behind %s', (kind) => {
  test('a replica that stands still for a while fails no GET, no HEAD and no event', repeated, async () => {
    cluster = await startCluster(kind);
    const running = load(cluster, await prepare(cluster));
    await setTimeout(1000);
    second().child.kill('SIGSTOP');
    await setTimeout(8000);
    second().child.kill('SIGCONT');
    await setTimeout(2000);
    await expectNoLoss(cluster, running);
  });

  if (isThorough)
    test('requests at a replica that stands still for good are sent to others, a client that does is waited for', async () => {
      cluster = await startCluster(kind);
      const prepared = await prepare(cluster);
      const client = await RawClient.open(cluster.url);
      client.get('/measurements/run/files/1', `Authorization: Bearer ${prepared.token}`);
      await client.until(100_000);
      client.pause();
      await setTimeout(45_000);
      client.resume();
      await client.until(large.length);
      expect(client.bodyReceived).toBe(large.length);
      const running = load(cluster, prepared);
      await setTimeout(1000);
      second().child.kill('SIGSTOP');
      await setTimeout(45_000);
      await expectNoLoss(cluster, running);
    });
});

test('what was revoked while a replica stood still is not sent when it goes on', repeated, async () => {
  cluster = await startCluster('nginx');
  const { token } = await prepare(cluster);
  const scopes = ['--scopes', 'api,read_measurement'];
  const later = (await cluster.command(['token', 'create', '--user', 'alice', '--name', 'later', ...scopes])).trim();
  const client = await RawClient.open(`http://127.0.0.1:${second().port}`);
  client.get('/measurements/run/files/1', `Authorization: Bearer ${token}`);
  await client.until(100_000);
  client.pause();
  expect(client.status).toBe(200);
  const outcome = async () => {
    const rows = await cluster.database.query<{ outcome: string | null }>('SELECT outcome FROM transfers ORDER BY id');
    return rows.map((row) => row.outcome);
  };
  await expect.poll(outcome, { timeout: 20_000 }).toEqual([null]);
  second().child.kill('SIGSTOP');
  const revoke = async (own: string) => {
    const revoked = await fetch(`http://127.0.0.1:${cluster.replicas[0]?.port}/api/v4/personal_access_tokens/self`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${own}` },
    });
    expect(revoked.status).toBe(204);
    return revoked.headers.get('benchport-unconfirmed') ?? '';
  };
  const said = await revoke(token);
  const named = /^replica-2; until=(.+)$/.exec(said);
  expect(named).not.toBeNull();
  // Its lease has ended by then, but not its grace.
  await setTimeout(4500);
  expect(await revoke(later)).toBe(said);
  client.socket.resume();
  await setTimeout(Date.parse(named?.[1] ?? '') - Date.now() + 1000);
  // Others end what a dead replica did; the one that wakes up does not change it.
  await expect.poll(outcome, { timeout: 20_000 }).toEqual(['killed']);
  const received = client.bodyReceived;
  second().child.kill('SIGCONT');
  await client.closed;
  expect(client.bodyReceived).toBe(received);
  expect(received).toBeLessThan(large.length);
  await setTimeout(2000);
  expect(await outcome()).toEqual(['killed']);
});

test('a replica whose clock is wrong says so, and gets no requests', repeated, async () => {
  cluster = await startCluster('haproxy');
  const prepared = await prepare(cluster);
  second().child.kill('SIGTERM');
  await second().ended;
  const clock = new URL('five-minutes-ahead.ts', import.meta.url).pathname;
  await cluster.restart(second(), ['--import', clock]);
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${second().port}/-/readiness`);
    return { status: answer.status, text: await answer.text() };
  };
  await expect.poll(readiness, { timeout: 20_000 }).toMatchObject({ status: 503 });
  expect((await readiness()).text).toContain('The clock of this machine is 300.');
  // The balancer has looked twice by then.
  await setTimeout(3000);
  const running = load(cluster, prepared);
  await setTimeout(3000);
  await expectNoLoss(cluster, running);
  await setTimeout(1000);
  const sent = await cluster.database.query<{ name: string; count: number }>(
    `SELECT name, CAST(count(transfers.id) AS integer) AS count FROM replicas
     LEFT JOIN transfers ON transfers.replica_id = replicas.id GROUP BY name ORDER BY name`,
  );
  expect(sent.map(({ name, count }) => [name, count > 0])).toEqual([
    ['replica-1', true],
    ['replica-2', false],
    ['replica-3', true],
  ]);
});
