import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { RawClient } from '../service/raw-client.ts';
import { repeated } from './rounds.ts';
import { startCluster, type TestCluster } from './cluster.ts';
import { large, prepare } from './load.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const downloads = 200;
const withinMs = 2000;

let cluster: TestCluster;
afterEach(async () => cluster.end());

interface Ended {
  readonly outcome: string | null;
  readonly ended_at: string;
}

test(
  '200 downloads on three replicas end within two seconds of a revocation, also without notifications',
  repeated,
  async () => {
    cluster = await startCluster('nginx');
    const { token } = await prepare(cluster);
    const clients = await Promise.all(
      Array.from({ length: downloads }, async (_, at) => {
        const replica = cluster.replicas[at % cluster.replicas.length];
        const client = await RawClient.open(`http://127.0.0.1:${replica?.port}`);
        client.get('/measurements/run/files/1', `Authorization: Bearer ${token}`);
        await client.until(1000);
        client.pause();
        return client;
      }),
    );
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([200]));
    // Each connection that listens ends again and again, so that only the looks of the replicas remain.
    const cutting = new AbortController();
    const cut = async (): Promise<void> => {
      const listening =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'benchport listen'";
      while (!cutting.signal.aborted) await cluster.database.query(listening).then(async () => setTimeout(20));
    };
    const cuts = cut();
    await setTimeout(1000);
    const revoked = await fetch(`http://127.0.0.1:${cluster.replicas[0]?.port}/api/v4/personal_access_tokens/self`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    const answeredAt = Date.now();
    expect([revoked.status, revoked.headers.get('benchport-unconfirmed')]).toEqual([204, null]);
    await setTimeout(withinMs + 500);
    cutting.abort();
    await cuts;
    const rows = async () =>
      cluster.database.query<Ended>(
        "SELECT outcome, ended_at FROM transfers WHERE what = 'file' AND outcome IS NOT NULL",
      );
    await expect.poll(async () => (await rows()).length, { timeout: 20_000 }).toBe(downloads);
    const ended = await rows();
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['revoked']));
    expect(Math.max(...ended.map((row) => Number(row.ended_at))) - answeredAt).toBeLessThan(withinMs);
    for (const client of clients) client.socket.resume();
    await Promise.all(clients.map(async ({ closed }) => closed));
    for (const client of clients) expect(client.bodyReceived).toBeLessThan(large.length);
  },
);
