import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mayMount } from '../service/may-mount.ts';
import { databaseIn, execute } from '../service/postgres/database.ts';
import { createServer, removeServer, type PostgresServer } from '../service/postgres/server.ts';
import { repeated } from './rounds.ts';
import { startCluster, type TestCluster } from './cluster.ts';
import { envelope, lostEvents, prepare, type Prepared } from './load.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const diskBytes = 96 * 1024 * 1024;

let dir: string;
let disk: string;
let server: PostgresServer;
let cluster: TestCluster;
let prepared: Prepared;

/** The tables lie on a small disk; the log of PostgreSQL, without which it ends at once, on another one. */
beforeEach(async () => {
  if (!mayMount) return;
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-full-'));
  await chmod(dir, 0o711);
  server = await createServer(path.join(dir, 'server'));
  disk = path.join(dir, 'disk');
  await mkdir(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk]);
  const tables = path.join(disk, 'tables');
  await mkdir(tables);
  const { uid, gid } = await stat(server.dir);
  await chown(tables, uid, gid);
  await execute(server.url('postgres'), `CREATE TABLESPACE small LOCATION '${tables}'`);
  await execute(server.url('postgres'), 'CREATE DATABASE facility TABLESPACE small');
  cluster = await startCluster('nginx', databaseIn(server, 'facility'));
  prepared = await prepare(cluster);
});
afterEach(async () => {
  if (!mayMount) return;
  await cluster.end();
  removeServer(server);
  execFileSync('umount', [disk]);
  await rm(dir, { recursive: true });
});

test.runIf(mayMount)(
  'a full disk of PostgreSQL is said to be full, loses nothing, and is used again when it has space',
  repeated,
  async () => {
    const accepted: string[] = [];
    const send = async (): Promise<number> => {
      const { id, body } = envelope(2000);
      const answer = await fetch(`${cluster.url}${prepared.intake}`, { method: 'POST', body });
      await answer.arrayBuffer();
      if (answer.status === 200) accepted.push(id);
      return answer.status;
    };
    expect(await send()).toBe(200);
    const filler = path.join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(diskBytes)).catch(() => undefined);
    const statuses = new Set<number>();
    // Free pages of the tables take some more.
    for (let tries = 0; tries < 2000 && !statuses.has(507); tries += 1) statuses.add(await send());
    expect([...statuses].filter((status) => status !== 200)).toEqual([507]);
    const read = await fetch(`${cluster.url}/measurements/run/files/0`, {
      headers: { authorization: `Bearer ${prepared.token}` },
    });
    expect((await read.arrayBuffer()).byteLength).toBe(40_000);
    await rm(filler);
    await expect.poll(send, { timeout: 30_000 }).toBe(200);
    await setTimeout(500);
    expect(await lostEvents(cluster, accepted)).toEqual([]);
    const half =
      'SELECT count(*)::integer AS count FROM error_events WHERE group_id NOT IN (SELECT id FROM error_groups)';
    expect(await cluster.database.query(half)).toEqual([{ count: 0 }]);
  },
);
