import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  leftBehind,
  movedTables,
  ordinaryTables,
  referenceSchema,
} from '../../../../src-main/service/database/moving/moved-tables.ts';
import { pageQuery } from '../../../../src-main/service/database/moving/sqlite-rows.ts';
import { openSqliteFile } from '../../../../src-main/service/database/sqlite/sqlite-file.ts';
import { createTestDatabase } from '../../postgres/database.ts';
import {
  contentsOf,
  moveAll,
  queryPostgres,
  schemaOf,
  serve,
  toPostgres,
  toSqlite,
  useMove,
  whyNotServed,
} from './move-fixture.ts';

describe('there and back', () => {
  const move = useMove();
  let before: ReturnType<typeof contentsOf>;
  beforeAll(() => {
    before = contentsOf(move.fixture.dataDir);
  });

  it('the rows that are moved are in every table', () => {
    // A new table needs a row in every-table.ts, or an entry in leftBehind.
    const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('moves all rows to PostgreSQL and says what stays', async () => {
    const { contents, compared } = await moveAll(toPostgres(move.fixture));
    expect(compared.length).toBe(movedTables().length);
    for (const { table, rows } of compared) expect([table, rows]).toEqual([table, before[table]?.length]);
    expect(contents.leftBehind.map(({ table, rows }) => [table, rows])).toEqual([
      ['fetches', 1],
      ['remote_servers', 1],
    ]);
    // The source has all rows still.
    expect(contentsOf(move.fixture.dataDir)).toEqual(before);
  });

  it('the old service does not start any more and says where the data are', async () => {
    expect(await whyNotServed(move.fixture.dataDir)).toMatch(
      /The data of .*data was moved to postgres:\/\/benchport@127\.0\.0\.1:\d+\/empty_\w+, which is used instead/,
    );
  });

  it('measurements keep their numbers, and their readers are there', async () => {
    const search = await queryPostgres(move.fixture.url, 'SELECT number, text FROM measurement_search ORDER BY number');
    const measurements = before['measurements'] as readonly { number: number; id: string; title_key: string }[];
    expect(search.map(({ number, text }) => [Number(number), text])).toEqual(
      measurements
        .toSorted((a, b) => a.number - b.number)
        .map(({ number, id, title_key }) => [number, `${id.toLowerCase()}\n${title_key}`]),
    );
    const readers = await queryPostgres(
      move.fixture.url,
      'SELECT measurement_id, reader FROM measurement_access ORDER BY 1, 2',
    );
    expect(readers.map(({ measurement_id, reader }) => [measurement_id, Number(reader)])).toEqual(
      (before['measurement_access'] as readonly { measurement_id: string; reader: number }[]).map((row) => [
        row.measurement_id,
        row.reader,
      ]),
    );
  });

  it('moves all rows back', async () => {
    await moveAll(toSqlite(move.back, move.fixture.url));
    expect(contentsOf(move.back)).toEqual(before);
    expect(schemaOf(move.back)).toEqual(schemaOf(move.fixture.dataDir));
    expect(sequencesOf(move.back)).toEqual(sequencesOf(move.fixture.dataDir));
    expect(await whyNotServed(move.fixture.dataDir, move.fixture.url)).toMatch(
      /was moved to sqlite:.*, which is used instead/,
    );
  });
});

/** The greatest id that each table that moves ever gave. */
function sequencesOf(dataDir: string): readonly unknown[] {
  const database = openSqliteFile(path.join(dataDir, 'benchport.db'), { readonly: true });
  try {
    const rows = database
      .prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence WHERE seq > 0 ORDER BY name')
      .all();
    expect(rows.find(({ name }) => name === 'audit_events')?.seq).toBeGreaterThanOrEqual(5000);
    return rows.filter(({ name }) => !(name in leftBehind) || name === 'replicas');
  } finally {
    database.close();
  }
}

describe('services on both sides', () => {
  const move = useMove();
  beforeAll(async () => {
    await moveAll(toPostgres(move.fixture));
  });

  /** The data as a user sees them, and the id of a new user. */
  async function tryService(dataDir: string, url: string | null, newUser: string): Promise<number | undefined> {
    const service = await serve(dataDir, url);
    try {
      const headers = { authorization: `Bearer ${move.fixture.token}` };
      const file = await fetch(`${service.url}/measurements/served/files/0`, { headers });
      expect(await file.text()).toBe('bytes of a');
      const found = await fetch(`${service.url}/api/v4/measurements?search=ångström`, { headers });
      expect((await found.json()) as unknown).toMatchObject([{ id: 'A-first' }]);
      const input = { username: newUser, name: 'n', email: null, passwordHash: null, isAdmin: false };
      return (await service.services.users.create(input))?.id;
    } finally {
      await service.stop();
    }
  }

  it('PostgreSQL has what was there, and gives ids that were never given', async () => {
    expect(await tryService(move.fixture.dataDir, move.fixture.url, 'newer')).toBe(42);
    const [download] = await queryPostgres(move.fixture.url, 'SELECT max(id) AS last FROM downloads');
    expect(Number(download?.['last'])).toBe(51);
  });

  it('SQLite has it too, after the way back', async () => {
    await moveAll(toSqlite(move.back, move.fixture.url));
    expect(await tryService(move.back, null, 'newest')).toBe(43);
    const database = openSqliteFile(path.join(move.back, 'benchport.db'), { readonly: true });
    const last = database.prepare<[], number>('SELECT max(id) FROM downloads').pluck().get();
    database.close();
    // The replica on PostgreSQL had taken the ids 51 to 10,050 for itself.
    expect(last).toBe(10_051);
  });
});

it('every table moves or has a reason not to', async () => {
  const schema = referenceSchema();
  const names = ordinaryTables(schema);
  schema.close();
  const moved = movedTables();
  expect([...moved.map(({ name }) => name), ...Object.keys(leftBehind)].toSorted()).toEqual(
    [...names, 'measurement_search'].toSorted(),
  );
  const made = await createTestDatabase();
  const columns = await queryPostgres(
    made.url,
    `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  );
  await made.remove();
  const types = { integer: 'bigint', text: 'text', bytes: 'bytea' };
  for (const { name, columns: own } of moved)
    expect([
      name,
      columns.filter((one) => one['table_name'] === name).map((one) => [one['column_name'], one['data_type']]),
    ]).toEqual([
      name,
      own.map((column) => [column.name, types[column.kind]]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ]);
});

it('pages are read in the order of the primary key without sorting', () => {
  const schema = referenceSchema();
  for (const table of movedTables())
    for (const isFirst of [true, false]) {
      const plan = schema
        .prepare(`EXPLAIN QUERY PLAN ${pageQuery(table, 'values', isFirst)}`)
        .all(...(isFirst ? [] : table.key)) as readonly { detail: string }[];
      expect([table.name, plan.filter(({ detail }) => detail.includes('TEMP B-TREE'))]).toEqual([table.name, []]);
    }
  schema.close();
});
