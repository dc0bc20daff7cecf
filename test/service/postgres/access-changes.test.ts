import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usersStore, type UsersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import type { OpenedDatabase } from '../../../src-main/service/database/opened-database.ts';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import { createTestDatabase, execute, type TestDatabase } from './database.ts';
import { createServer, removeServer, sharedDir } from './server.ts';
import { migratePostgres } from '../../../src-main/service/database/postgres/migrate.ts';

let made: TestDatabase;
let opened: OpenedDatabase;
let users: UsersStore;
let client: pg.Client;
let told: string[];

beforeEach(async () => {
  made = await createTestDatabase();
  told = [];
  opened = await openPostgres({ url: made.url, listenUrl: null, connections: 4 }, null, (_, message) =>
    told.push(message),
  );
  users = usersStore(opened.context.database);
  client = new pg.Client({ connectionString: made.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await opened.close();
  await made.remove();
});

const newUser = (username: string) => ({ username, name: username, email: null, passwordHash: null, isAdmin: false });
const current = () => opened.context.changes.current();
/** Waits for the next change. */
const grows = async (before: number) => vi.waitFor(() => expect(current()).toBeGreaterThan(before), { timeout: 5000 });

test('a block by another process is seen, a new account is none', async () => {
  await users.create(newUser('alice'));
  await setTimeout(700);
  const before = current();
  await users.create(newUser('bob'));
  await setTimeout(700);
  expect(current()).toBe(before);
  await client.query("UPDATE users SET state = 'blocked' WHERE username = 'alice'");
  await grows(before);
});

test('a transaction that began before others and commits after them is seen', async () => {
  for (const name of ['alice', 'bob']) await users.create(newUser(name));
  await client.query('BEGIN');
  await client.query("UPDATE users SET state = 'blocked' WHERE username = 'alice'");
  const first = current();
  await execute(made.url, "UPDATE users SET state = 'blocked' WHERE username = 'bob'");
  await grows(first);
  await setTimeout(700);
  const second = current();
  await client.query('COMMIT');
  await grows(second);
});

test('a transaction that is rolled back changes nothing, and one of many rows leaves one', async () => {
  for (let i = 0; i < 50; i += 1) await users.create(newUser(`user${i}`));
  await setTimeout(700);
  const before = current();
  await client.query("BEGIN; UPDATE users SET state = 'blocked'; ROLLBACK");
  await setTimeout(700);
  expect(current()).toBe(before);
  await client.query("UPDATE users SET state = 'blocked'");
  await grows(before);
  expect((await client.query('SELECT count(*) FROM access_changes')).rows).toEqual([{ count: '1' }]);
});

test('changes are seen while notifications are lost, which are restored', async () => {
  await users.create(newUser('alice'));
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'benchport listen' AND datname = current_database()",
  );
  const before = current();
  await client.query("UPDATE users SET state = 'blocked' WHERE username = 'alice'");
  await grows(before);
  await vi.waitFor(() => expect(told).toContain('notifications of the database are lost'));
  await vi.waitFor(async () => {
    const found = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'benchport listen' AND datname = current_database()",
    );
    expect(found.rows).toHaveLength(1);
  });
});

test('while the server hangs nothing that was cached holds; afterwards all is as before', async () => {
  const dir = sharedDir(`hang-${process.pid}`);
  const server = await createServer(dir);
  await execute(server.url('postgres'), 'CREATE DATABASE hanging');
  const url = server.url('hanging');
  await migratePostgres(url);
  const own = await openPostgres({ url, listenUrl: null, connections: 4 }, null, () => {});
  const { changes, database } = own.context;
  try {
    expect(changes.current()).toBe(changes.current());
    const pids = await pidsOf(url);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      await setTimeout(3000);
      expect(changes.current()).not.toBe(changes.current());
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await vi.waitFor(() => expect(changes.current()).toBe(changes.current()), { timeout: 15_000 });
    expect(await usersStore(database).create(newUser('alice'))).toMatchObject({ username: 'alice' });
  } finally {
    await own.close();
    removeServer(server);
  }
});

/** The processes of a server: its first one and those of its connections. */
async function pidsOf(url: string): Promise<readonly number[]> {
  const asking = new pg.Client({ connectionString: url });
  await asking.connect();
  const { rows } = await asking.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
     UNION SELECT CAST(split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS integer)`,
  );
  await asking.end();
  return rows.map(({ pid }) => pid);
}
