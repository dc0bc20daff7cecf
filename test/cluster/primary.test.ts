import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { execute } from '../service/postgres/database.ts';
import { createServer, createStandby, removeServer, type PostgresServer } from '../service/postgres/server.ts';
import { repeated } from './rounds.ts';
import { startCluster, type TestCluster } from './cluster.ts';
import { load, lostEvents, prepare, sendEvent, type Prepared } from './load.ts';
import { startRelay, type Relay } from './relay.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const name = 'facility';

let dir: string;
let primary: PostgresServer;
let standby: PostgresServer;
/** From the standby to the primary. */
let following: Relay;
/** From each replica to the primary. */
let reaching: readonly Relay[];
let cluster: TestCluster;
let prepared: Prepared;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-primary-'));
  // PostgreSQL runs as a user of its own.
  await chmod(dir, 0o711);
  primary = await createServer(path.join(dir, 'primary'));
  await execute(primary.url('postgres'), `CREATE DATABASE ${name}`);
  following = await startRelay(primary.port);
  standby = await createStandby(primary, path.join(dir, 'standby'), following.port);
  // Every commit waits for the standby from now on.
  await execute(primary.url('postgres'), "ALTER SYSTEM SET synchronous_standby_names = '*'");
  primary.control('reload');
  reaching = await Promise.all([1, 2, 3].map(async () => startRelay(primary.port)));
  cluster = await startCluster('nginx', {
    url: primary.url(name),
    urlOf: (replica) => `postgres://benchport@127.0.0.1:${reaching[Number(replica.at(-1)) - 1]?.port}/${name}`,
    query: async (statement) => ask(standby, statement),
    remove: async () => undefined,
  });
  prepared = await prepare(cluster);
});
afterEach(async () => {
  await cluster.end();
  await Promise.all([...reaching, following].map(async (relay) => relay.end()));
  removeServer(standby);
  try {
    removeServer(primary);
  } catch {
    // It was killed.
  }
  await rm(dir, { recursive: true, force: true });
});

async function ask<Row>(server: PostgresServer, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: server.url(name) });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Milliseconds until a replica accepts an event. */
async function untilAccepted(base: string): Promise<number> {
  const began = Date.now();
  while (!(await sendEvent(base, prepared)).accepted) await setTimeout(50);
  return Date.now() - began;
}

const processes = () => cluster.replicas.map(({ child }) => [child.pid, child.exitCode, child.signalCode]);

test('no answered write is lost when the primary is killed, and no replica restarts', repeated, async () => {
  const before = processes();
  const running = load(cluster, prepared);
  await setTimeout(2000);
  process.kill(Number(readFileSync(path.join(primary.dir, 'data/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  await setTimeout(500);
  standby.control('promote');
  for (const relay of reaching) relay.switchTo(standby.port);
  const gapMs = await untilAccepted(cluster.url);
  expect(gapMs).toBeLessThan(3000);
  await setTimeout(2000);
  const { done } = await running.stop();
  expect(done).toBeGreaterThan(100);
  expect(running.accepted.length).toBeGreaterThan(10);
  expect(await lostEvents(cluster, running.accepted)).toEqual([]);
  expect(processes()).toEqual(before);
  for (const { port } of cluster.replicas)
    expect((await fetch(`http://127.0.0.1:${port}/-/readiness`)).status, `port ${port}`).toBe(200);
});

test('an old primary that was cut off answers no write that the new one lacks', repeated, async () => {
  const [alone, ...others] = cluster.replicas.map(({ port }) => `http://127.0.0.1:${port}`);
  if (alone === undefined) throw new Error('no replica');
  following.switchTo(null);
  standby.control('promote');
  for (const relay of reaching.slice(1)) relay.switchTo(standby.port);
  const accepted: string[] = [];
  const send = async (base: string) => {
    const { id, accepted: stored } = await sendEvent(base, prepared, AbortSignal.timeout(12_000));
    if (stored) accepted.push(id);
    return stored;
  };
  const onOld = await Promise.all(Array.from({ length: 20 }, async () => send(alone)));
  expect(onOld).not.toContain(true);
  for (const base of others) await untilAccepted(base);
  for (const base of others) expect(await send(base)).toBe(true);
  // Nor does it know who lost access.
  const headers = { authorization: `Bearer ${prepared.token}` };
  const revoked = await fetch(`${others[0]}/api/v4/personal_access_tokens/self`, { method: 'DELETE', headers });
  expect(revoked.status).toBe(204);
  const statuses = [alone, ...others].map(
    async (base) => (await fetch(`${base}/measurements/run`, { headers })).status,
  );
  expect(await Promise.all(statuses)).toEqual([503, 401, 401]);
  expect((await fetch(`${alone}/-/readiness`)).status).toBe(503);
  // Somebody ends the old primary, as its supervisor does.
  primary.control('stop', '-m', 'immediate');
  reaching[0]?.switchTo(standby.port);
  await untilAccepted(alone);
  expect(await send(alone)).toBe(true);
  expect(await lostEvents(cluster, accepted)).toEqual([]);
});
