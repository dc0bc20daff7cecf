import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { databaseIn, execute } from '../service/postgres/database.ts';
import { createServer, removeServer, type PostgresServer } from '../service/postgres/server.ts';
import { startCluster, type TestCluster } from './cluster.ts';
import { prepare } from './load.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const atOnce = 50;

let dir: string;
let server: PostgresServer;
let cluster: TestCluster;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-hung-'));
  // PostgreSQL runs as a user of its own.
  await chmod(dir, 0o711);
  server = await createServer(path.join(dir, 'server'));
  await execute(server.url('postgres'), 'CREATE DATABASE facility');
  cluster = await startCluster('nginx', databaseIn(server, 'facility'));
});
afterEach(async () => {
  await cluster.end();
  removeServer(server);
  await rm(dir, { recursive: true });
});

/** All processes of the server. */
function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  const main = Number(readFileSync(path.join(server.dir, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ');
  for (const pid of [main, ...children.map(Number)]) process.kill(pid, name);
}

test('a database that hangs is said to be away to all who ask at once, and used again when it goes on', async () => {
  const { token } = await prepare(cluster);
  const at = `http://127.0.0.1:${cluster.replicas[0]?.port}`;
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (): Promise<number> => {
    const answer = await fetch(`${at}/measurements/run/files/0`, { headers, signal: AbortSignal.timeout(30_000) });
    await answer.arrayBuffer();
    return answer.status;
  };
  const askAtOnce = async () => new Set(await Promise.all(Array.from({ length: atOnce }, ask)));
  expect(await askAtOnce()).toEqual(new Set([200]));
  signal('SIGSTOP');
  await setTimeout(7000);
  let answers = 0;
  const until = Date.now() + 6000;
  while (Date.now() < until) {
    expect(await askAtOnce()).toEqual(new Set([503]));
    answers += atOnce;
  }
  // A second for each, with tolerance for a busy machine.
  expect(answers).toBeGreaterThanOrEqual(2 * atOnce);
  expect((await fetch(`${at}/-/health`)).status).toBe(200);
  signal('SIGCONT');
  await expect.poll(ask, { timeout: 30_000 }).toBe(200);
});
