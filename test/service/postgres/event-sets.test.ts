import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import pg from 'pg';
import type { OpenedDatabase } from '../../../src-main/service/database/opened-database.ts';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import { prepareEvent, type PreparedEvent } from '../../../src-main/service/errors/events/prepare-event.ts';
import { clientKeysStore } from '../../../src-main/service/errors/store/client-keys-store.ts';
import { errorStores } from '../../../src-main/service/errors/store/stores.ts';
import type { EventsStore, EventToStore } from '../../../src-main/service/errors/store/events-store.ts';
import { projectsStore } from '../../../src-main/service/projects/projects-store.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

const replicas = 3;

let made: TestDatabase;
let opened: readonly OpenedDatabase[];
let stores: readonly EventsStore[];
let client: pg.Client;
let projectId: number;
let keyIds: readonly number[];

beforeEach(async () => {
  made = await createTestDatabase();
  opened = await Promise.all(
    Array.from({ length: replicas }, async () =>
      openPostgres({ url: made.url, listenUrl: null, connections: 4 }, null, () => {}),
    ),
  );
  stores = opened.map(({ context }) => errorStores(context).errorEvents);
  client = new pg.Client({ connectionString: made.url });
  await client.connect();
  const { database, changes } = opened[0]?.context ?? never();
  projectId = (await projectsStore(database).create('lab', 'Lab'))?.id ?? 0;
  const keys = clientKeysStore(database, changes);
  keyIds = [(await keys.create(projectId, 'bpk_a')).id, (await keys.create(projectId, 'bpk_b')).id];
});
afterEach(async () => {
  await client.end();
  await Promise.all(opened.map(async (one) => one.close()));
  await made.remove();
});

function never(): never {
  throw new Error('there is no replica');
}

interface Sent {
  readonly type: string;
  readonly user?: string;
  readonly project?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The event with a number, of which its id, its time, its release and its key follow. */
function eventOf(number: number, { type, user, project = projectId, tags = {} }: Sent): EventToStore {
  const receivedAt = 1_700_000_000_000 + number * 60_000;
  const body = {
    platform: 'python',
    release: `station@${number % 5}`,
    environment: 'half \ud800 of a pair',
    tags: { beam: `b${number % 3}`, ...tags },
    exception: { values: [{ type, value: 'no signal' }] },
  };
  const context = { receivedAt, eventId: null, sentAt: null, sdk: null, address: null };
  const prepared = prepareEvent(Buffer.from(JSON.stringify(body)), context) ?? never();
  const event: PreparedEvent = { ...prepared, eventId: number.toString(16).padStart(32, '0') };
  const keyId = keyIds[number % keyIds.length] ?? 0;
  return { projectId: project, keyId, event, userHash: user === undefined ? null : Buffer.from(user.padEnd(16)) };
}

const add = async (replica: number, number: number, sent: Sent) =>
  (stores[replica % replicas] ?? never()).add(eventOf(number, sent));
const rows = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
const value = async (sql: string) => Number(Object.values((await rows(sql))[0] ?? {})[0]);

/** Every counter, computed from the rows of events that the test left in place. */
async function expectCountsToBeRows(events: number): Promise<void> {
  expect(await value('SELECT count(*) FROM error_events')).toBe(events);
  expect(await value('SELECT sum(events) FROM errors')).toBe(events);
  expect(await value('SELECT sum(events) FROM client_keys')).toBe(events);
  expect(await value("SELECT sum(count) FROM ingest_counts WHERE outcome = 'accepted'")).toBe(events);
  expect(await value("SELECT sum(events) FROM error_tags WHERE tag = 'beam'")).toBe(events);
  const different = await rows(`
    SELECT error_groups.id FROM error_groups
      JOIN (SELECT group_id, count(*) AS events, min(id) AS first, min(occurred_at) AS earliest, max(occurred_at) AS latest, max(received_at) AS received
            FROM error_events GROUP BY group_id) AS stored ON stored.group_id = error_groups.id
      JOIN errors ON errors.id = error_id
    WHERE (error_groups.events, errors.events, errors.first_seen, errors.last_seen, last_received,
        (SELECT sum(error_hours.events) FROM error_hours WHERE error_hours.group_id = error_groups.id),
        (SELECT count(*) FROM error_users WHERE error_users.group_id = error_groups.id),
        errors.first_release, errors.last_release)
      IS DISTINCT FROM (stored.events, stored.events, earliest, latest, received, stored.events, errors.users,
        (SELECT release FROM error_events WHERE group_id = error_groups.id ORDER BY occurred_at LIMIT 1),
        (SELECT release FROM error_events WHERE group_id = error_groups.id ORDER BY occurred_at DESC LIMIT 1))`);
  expect(different).toEqual([]);
  expect(await value('SELECT count(*) FROM errors WHERE id NOT IN (SELECT error_id FROM error_groups)')).toBe(0);
}

/** Of this database, as told by connections that have ended. */
async function deadlocks(): Promise<number> {
  await Promise.all(opened.map(async (one) => one.close()));
  return value('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
}

test('three replicas write the same errors: counts are rows, each event is stored once, nobody waits in a circle', async () => {
  const events = 1500;
  const types = ['Hot', 'A', 'B', 'C', 'D', 'E'];
  const sent = (number: number): Sent => ({
    type: number % 2 === 0 ? 'Hot' : (types[number % types.length] ?? ''),
    user: `u${number % 7}`,
  });
  // Each event comes to two replicas at about one time.
  const results = await Promise.all(
    Array.from({ length: events }, (_, number) => number).flatMap((number) => [
      add(number, number, sent(number)),
      add(number + 1, number, sent(number)),
    ]),
  );
  expect(results.filter(({ outcome }) => outcome === 'stored')).toHaveLength(events);
  expect(results.filter(({ change }) => change === 'new')).toHaveLength(
    new Set(Array.from({ length: events }, (_, number) => sent(number).type)).size,
  );
  await expectCountsToBeRows(events);
  expect(await value("SELECT sum(count) FROM ingest_counts WHERE outcome = 'duplicate'")).toBe(events);
  expect(await deadlocks()).toBe(0);
});

test('events wait behind a lock that lasts longer than one statement waits', async () => {
  await add(0, 0, { type: 'Hot' });
  await client.query('BEGIN');
  await client.query('SELECT id FROM errors FOR UPDATE');
  const waiting = Promise.all(Array.from({ length: 40 }, async (_, at) => add(at, at + 1, { type: 'Hot' })));
  await setTimeout(3000);
  await client.query('COMMIT');
  expect((await waiting).filter(({ outcome }) => outcome === 'stored')).toHaveLength(40);
  await expectCountsToBeRows(41);
});

test('an event that cannot be stored fails alone', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, async (_, number) =>
      add(0, number, { type: `T${number % 4}`, ...(number === 17 ? { project: 999_999 } : {}) }),
    ),
  );
  expect(results.map(({ status }) => status).indexOf('rejected')).toBe(17);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(39);
  await expectCountsToBeRows(39);
});

test('errors that are removed while their events come start over', async () => {
  const adding = Promise.all(
    Array.from({ length: 900 }, async (_, number) => add(number, number, { type: `T${number % 3}` })),
  );
  const removing = (async () => {
    for (let round = 0; round < 20; round += 1)
      await client.query('DELETE FROM errors WHERE id = (SELECT min(id) FROM errors)').catch((error: unknown) => {
        // A deadlock with a removal ends one of the two, and the service repeats either.
        expect(String(error)).toContain('deadlock');
      });
  })();
  const results = await adding;
  await removing;
  expect(results.every(({ outcome }) => outcome === 'stored')).toBe(true);
  expect(await value('SELECT count(*) FROM error_events')).toBe(await value('SELECT sum(events) FROM errors'));
});

test('a tag keeps its first thousand values', async () => {
  await Promise.all(
    Array.from({ length: 1100 }, async (_, number) =>
      add(0, number, { type: 'Hot', tags: { request_id: `r${number}` } }),
    ),
  );
  await add(0, 2000, { type: 'Hot', tags: { request_id: 'r0' } });
  expect(await value("SELECT count(*) FROM error_tags WHERE tag = 'request_id'")).toBe(1000);
  expect(await value("SELECT events FROM error_tags WHERE tag = 'request_id' AND value = 'r0'")).toBe(2);
});

test('a resolved error comes back once, and a user who was counted by another group is not counted again', async () => {
  await add(0, 1, { type: 'A', user: 'u1' });
  await add(0, 2, { type: 'B', user: 'u2' });
  await client.query(`UPDATE error_groups SET error_id = (SELECT min(id) FROM errors)`);
  await client.query('DELETE FROM errors WHERE id > (SELECT min(id) FROM errors)');
  await client.query("UPDATE errors SET status = 'resolved', resolved_at = 1, users = 2, events = 2");
  const results = await Promise.all([
    add(1, 3, { type: 'A', user: 'u2' }),
    add(1, 4, { type: 'B', user: 'u3' }),
    add(1, 5, { type: 'A', user: 'u3' }),
  ]);
  expect(results.map(({ change }) => change).filter((change) => change !== null)).toEqual(['regressed']);
  expect(await rows('SELECT status, users, events FROM errors')).toEqual([
    { status: 'unresolved', users: '3', events: '5' },
  ]);
});
