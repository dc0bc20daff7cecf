import { afterEach, describe, expect, test } from 'vitest';
import { auditRetention } from '../../../../src-main/service/audit/audit-retention.ts';
import { auditRetentionStore } from '../../../../src-main/service/audit/audit-retention-store.ts';
import { contextBeside } from '../../beside-context.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { engineOfTests, startTestService, type TestService } from '../../start.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

let service: TestService;
let token: string;
afterEach(() => service.end());

async function start(): Promise<void> {
  service = await startTestService();
  const alice = await service.user('alice', true);
  token = await service.token(alice, ['api']);
  await addMeasurement(service, alice, 'm', [
    { path: 'a.txt', bytes: 'first' },
    { path: 'b.txt', bytes: 'second' },
  ]);
}

type Row = Readonly<Record<string, unknown>>;

function ask(sql: string): Row | undefined {
  const database = openBeside(service);
  try {
    return database.prepare<[], Row>(sql).get();
  } finally {
    database.close();
  }
}

const onSqlite = 'SELECT page_count * 4096 AS bytes FROM pragma_page_count';
const onPostgres = 'SELECT pg_database_size(current_database()) AS bytes';
const databaseBytes = () => Number(ask(engineOfTests === 'sqlite' ? onSqlite : onPostgres)?.['bytes']);
function sums(): { readonly rows: number; readonly requests: number; readonly bytes: number } {
  const row = ask(
    'SELECT count(*) AS rows, ifnull(sum(requests), 0) AS requests, ifnull(sum(bytes_sent), 0) AS bytes FROM transfers',
  );
  return { rows: Number(row?.['rows']), requests: Number(row?.['requests']), bytes: Number(row?.['bytes']) };
}

/** Requests single bytes on one connection, with a new user agent each time. */
async function tinyRanges(count: number, userAgent: (i: number) => string): Promise<void> {
  const client = await RawClient.open(service.url);
  const atOnce = 50;
  for (let done = 0; done < count; done += atOnce) {
    for (let i = done; i < done + atOnce; i += 1) {
      client.get(
        `/measurements/m/files/${i % 2}`,
        `Authorization: Bearer ${token}`,
        'Range: bytes=0-0',
        `User-Agent: ${userAgent(i)}`,
      );
    }
    await until(() => sums().requests >= done + atOnce, `${done + atOnce} in the audit trail`);
  }
  client.socket.destroy();
}

test('H3: 20,000 tiny ranges take a few rows, with user, number of requests and bytes', async () => {
  await start();
  const before = databaseBytes();
  const clients = await Promise.all(Array.from({ length: 8 }, () => RawClient.open(service.url)));
  // Requests of a client; to ask for rows on PostgreSQL blocks the service of this process.
  const perClient = engineOfTests === 'sqlite' ? 2500 : 500;
  for (const client of clients) {
    client.socket.on('data', () => {});
    for (let i = 0; i < perClient; i += 1) {
      client.get(
        `/measurements/m/files/${i % 2}`,
        `Authorization: Bearer ${token}`,
        'Range: bytes=0-0',
        `User-Agent: ${'x'.repeat(290)}`,
      );
      if (i % 50 === 49) await client.until(i * 300);
    }
  }
  await until(() => sums().requests === 8 * perClient, 'all in the audit trail');
  const { rows, bytes } = sums();
  expect(bytes).toBe(8 * perClient);
  // Two files, and a minute or two; on PostgreSQL also ranges that were being sent when rows were written.
  expect(rows).toBeLessThanOrEqual(engineOfTests === 'sqlite' ? 8 : 200);
  // PostgreSQL keeps old versions of the rows until it vacuums.
  expect(databaseBytes() - before).toBeLessThan((engineOfTests === 'sqlite' ? 128 : 1024) * 1024);
  expect(
    ask('SELECT username, requests, bytes_sent, files_whole, outcome FROM downloads JOIN users ON users.id = user_id'),
  ).toEqual({
    username: 'alice',
    requests: 8 * perClient,
    bytes_sent: 8 * perClient,
    files_whole: 0,
    outcome: 'part',
  });
  for (const client of clients) client.socket.destroy();
});

test('H3: a client with a new user agent each time does not fill the database', async () => {
  await start();
  await tinyRanges(1000, (i) => `robot ${i} ${'x'.repeat(400)}`);
  expect(ask('SELECT count(*) AS count FROM user_agents')?.['count']).toBeLessThanOrEqual(102);
  expect(ask('SELECT max(length(text)) AS longest FROM user_agents')?.['longest']).toBe(300);
});

describe('H3: retention', () => {
  const day = 24 * 3600_000;

  function filled(transfers: number, events: number, at: number): void {
    const database = openBeside(service);
    const many = (count: number) =>
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
    if (transfers > 0)
      database.exec(
        `${many(transfers)} INSERT INTO transfers (started_at, measurement_id, what, status) SELECT ${at}, 'm', 'file', 200 FROM n`,
      );
    if (events > 0)
      database.exec(`${many(events)} INSERT INTO audit_events (at, action, subject) SELECT ${at}, 'old', 'x' FROM n`);
    database.close();
  }

  const count = (table: string) => Number(ask(`SELECT count(*) AS count FROM ${table}`)?.['count']);

  async function purge(now: number): Promise<void> {
    const beside = await contextBeside(service);
    const store = auditRetentionStore(beside.context.database);
    const retention = await auditRetention({ store, settings: service.services.settings, log: service.services.log });
    while (await retention.purgeSome(now));
    await beside.close();
  }

  test('removes rows older than the days kept, in steps, and events later than transfers', async () => {
    await start();
    filled(1000, 500, Date.now() - 401 * day);
    filled(1, 1, Date.now());
    const events = count('audit_events');
    await purge(Date.now());
    expect([count('transfers'), count('audit_events')]).toEqual([1, events]);
    const answer = await fetch(`${service.url}/api/v4/audit_events/retention`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ audit_days: 400 }),
    });
    expect(await answer.json()).toEqual({
      transfer_days: 400,
      transfer_rows: 10_000_000,
      audit_days: 400,
      audit_rows: 10_000_000,
    });
    await purge(Date.now());
    // The change of the setting is an event too.
    expect(count('audit_events')).toBe(events - 500 + 1);
  });

  test('removes the oldest beyond the maximum number', async () => {
    await start();
    await service.services.settings.set('audit.retention', JSON.stringify({ transfer_rows: 300 }));
    filled(1000, 0, Date.now());
    await purge(Date.now());
    expect(count('transfers')).toBeLessThanOrEqual(300);
    expect(count('transfers')).toBeGreaterThan(0);
  });

  test('removes nothing because a clock was set ahead', async () => {
    await start();
    filled(10, 10, Date.now());
    await purge(Date.now() + 5000 * day);
    expect(count('transfers')).toBe(10);
  });
});
