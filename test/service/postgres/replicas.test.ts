import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import type { OpenedDatabase } from '../../../src-main/service/database/opened-database.ts';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

let made: TestDatabase;
let client: pg.Client;
let replicas: OpenedDatabase[];
const [first, second] = [0, 1].map((at) => () => {
  const replica = replicas[at];
  if (!replica) throw new Error('not open');
  return replica.context;
}) as [() => OpenedDatabase['context'], () => OpenedDatabase['context']];

const open = async (name: string) =>
  openPostgres({ url: made.url, listenUrl: null, connections: 4 }, { name, version: '1', serves: true }, () => {});

beforeEach(async () => {
  made = await createTestDatabase();
  replicas = [await open('one'), await open('two')];
  client = new pg.Client({ connectionString: made.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await Promise.all(replicas.map(async (replica) => replica.close()));
  await made.remove();
});

const block = async () => client.query("UPDATE users SET state = 'blocked' WHERE username = 'alice'");
const addAlice = async () =>
  usersStore(first().database).create({
    username: 'alice',
    name: 'alice',
    email: null,
    passwordHash: null,
    isAdmin: false,
  });

test('replicas know each other, and one of them leads', async () => {
  await vi.waitFor(() => expect([first().cluster.live(), second().cluster.live()]).toEqual([2, 2]), { timeout: 5000 });
  expect([first().cluster.leads(), second().cluster.leads()]).toEqual([true, false]);
  expect(first().cluster.replica()).toMatchObject({ name: 'one' });
  expect(Math.abs(first().cluster.clockAheadMs())).toBeLessThan(500);
});

test('another replica leads after the end of the first', async () => {
  await replicas[0]?.close();
  await vi.waitFor(() => expect(second().cluster.leads()).toBe(true), { timeout: 5000 });
  expect((await client.query('SELECT name FROM replicas')).rows).toEqual([{ name: 'two' }]);
});

test('a replica whose clock is wrong does not lead: it would remove what is not old', async () => {
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 86_400_000);
  try {
    await vi.waitFor(() => expect(first().cluster.leads()).toBe(false), { timeout: 3000 });
    expect(first().cluster.clockAheadMs()).toBeGreaterThan(86_000_000);
    // Neither does the other one, whose clock is the same, when the lease has ended.
    await setTimeout(6500);
    expect([first().cluster.leads(), second().cluster.leads()]).toEqual([false, false]);
  } finally {
    clock.mockRestore();
  }
  await vi.waitFor(() => expect(first().cluster.leads() || second().cluster.leads()).toBe(true), { timeout: 3000 });
  // The other one may have compared its clock first.
  await vi.waitFor(() => expect(first().cluster.clockAheadMs()).toBeLessThan(500), { timeout: 3000 });
});

test('a change of access is confirmed when all replicas have dropped what they cached', async () => {
  await addAlice();
  for (let round = 0; round < 20; round += 1) {
    await client.query("UPDATE users SET state = 'active'");
    await first().cluster.confirmChanges(0);
    const before = second().changes.current();
    await block();
    expect(await first().cluster.confirmChanges(0)).toEqual([]);
    expect(second().changes.current()).toBeGreaterThan(before);
  }
});

test('a replica that does not look is named, and one whose lease ended is not waited for', async () => {
  await addAlice();
  await client.query(
    "INSERT INTO replicas (name, version, started_at, lease_until, seen, seen_at) VALUES ('hung', '1', 0, milliseconds_now() + 60000, pg_current_snapshot()::text, 5)",
  );
  await block();
  expect(await first().cluster.confirmChanges(0)).toEqual([{ name: 'hung', seenAt: 5 }]);
  await client.query("UPDATE replicas SET lease_until = 0 WHERE name = 'hung'");
  expect(await first().cluster.confirmChanges(0)).toEqual([]);
});

test('a dead replica is named without a wait while it may still send, also when its work was ended', async () => {
  await addAlice();
  await client.query(
    "INSERT INTO replicas (name, version, started_at, lease_until, seen, seen_at) VALUES ('cut off', '1', 0, 0, pg_current_snapshot()::text, milliseconds_now() - 6000)",
  );
  await block();
  const began = performance.now();
  const named = [{ name: 'cut off', seenAt: expect.closeTo(Date.now() - 6000, -4) as number }];
  expect(await first().cluster.confirmChanges(10_000)).toEqual(named);
  expect(performance.now() - began).toBeLessThan(2000);
  await client.query("UPDATE replicas SET ended_at = milliseconds_now() WHERE name = 'cut off'");
  expect(await first().cluster.confirmChanges(10_000)).toEqual(named);
  expect(await first().cluster.confirmChanges(3000)).toEqual([]);
});

test('other changes than those of access are not waited for', async () => {
  await client.query(
    "INSERT INTO replicas (name, version, started_at, lease_until, seen, seen_at) VALUES ('hung', '1', 0, milliseconds_now() + 60000, pg_current_snapshot()::text, 5)",
  );
  await addAlice();
  expect(await first().cluster.confirmChanges(0)).toEqual([]);
});

test('a replica that was taken for dead notices it and continues under a new id', async () => {
  const lost = vi.fn();
  second().cluster.onLeaseLost(lost);
  const before = second().cluster.replica();
  await client.query("UPDATE replicas SET ended_at = milliseconds_now() WHERE name = 'two'");
  await vi.waitFor(() => expect(lost).toHaveBeenCalledWith(before), { timeout: 5000 });
  await vi.waitFor(() => expect(second().cluster.replica()?.id).toBeGreaterThan(before?.id ?? 0), { timeout: 5000 });
});

test('messages reach the other replicas, and not their sender', async () => {
  const heard: string[] = [];
  first().cluster.onNotification((text) => heard.push(`one ${text}`));
  second().cluster.onNotification((text) => heard.push(`two ${text}`));
  await setTimeout(200);
  first().cluster.notify('users changed');
  await vi.waitFor(() => expect(heard).toEqual(['two users changed']), { timeout: 5000 });
});

test('the lease survives the loss of all connections', async () => {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await setTimeout(1200);
  const { rows } = await client.query<{ live: boolean }>(
    'SELECT lease_until > milliseconds_now() + 3500 AS live FROM replicas',
  );
  expect(rows).toEqual([{ live: true }, { live: true }]);
  const before = second().changes.current();
  await addAlice();
  await block();
  await vi.waitFor(() => expect(second().changes.current()).toBeGreaterThan(before), { timeout: 5000 });
});
