import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from '../../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../../src-main/service/database/migrations/all.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';
import { textFinder } from '../../../../src-main/service/database/text-search.ts';
import { fileListStore, type FileListQuery } from '../../../../src-main/service/measurements/store/file-list.ts';
import { fileOrdersStore } from '../../../../src-main/service/measurements/store/file-orders-store.ts';
import { naturalKey } from '../../../../src-main/service/measurements/store/natural-key.ts';

interface File {
  readonly idx: number;
  readonly path: string;
  readonly length: number;
  readonly state: string;
}

function world(files: number) {
  const statements: string[] = [];
  const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
  database.pragma('foreign_keys = ON');
  migrate(database, migrations, '');
  database.exec(`INSERT INTO users (username, name, created_at) VALUES ('alice', 'Alice', 1)`);
  const add = (id: string): void => {
    database.exec(`INSERT INTO measurements (id, title, owner_id, storage, root, state, file_count, created_at) VALUES ('${id}', '', 1, 'library', '', 'available', ${files}, 1);
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${files - 1})
      INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, state)
        SELECT '${id}', i, 'run' || (i % 3) || '/Scän_' || (i * 7919 % 10007), 'x', i % 50, 1, zeroblob(32), '0', 1, i, i, iif(i % 100 = 7, 'missing', 'ok') FROM n`);
  };
  add('m');
  const port = storeContext(database).database;
  const all = database.prepare<[], File>('SELECT idx, path, length, state FROM measurement_files ORDER BY idx').all();
  return {
    database,
    statements,
    add,
    all,
    orders: fileOrdersStore(port),
    list: fileListStore(port, fileOrdersStore(port)),
  };
}
type World = ReturnType<typeof world>;

const first = { descending: false, search: '', problems: false, after: -1, limit: 100 } as const;

function compareFiles(sort: FileListQuery['sort']): (a: File, b: File) => number {
  const byPath = (a: File, b: File): number =>
    Buffer.compare(Buffer.from(naturalKey(a.path)), Buffer.from(naturalKey(b.path)));
  if (sort === 'index') return (a, b) => a.idx - b.idx;
  return (a, b) => (sort === 'size' ? a.length - b.length : 0) || byPath(a, b) || a.idx - b.idx;
}

async function allPages({ list }: World, query: FileListQuery): Promise<readonly number[]> {
  const found: number[] = [];
  let after: number | null = -1;
  while (after !== null) {
    const page = await list.page('m', { ...query, after });
    found.push(...page.rows.map(({ idx }) => idx));
    after = page.next;
  }
  return found;
}

it.each(['index', 'path', 'size'] as const)(
  'U12: files by %s come in pages without gaps, in both directions, searched or not',
  async (sort) => {
    const one = world(2300);
    for (const descending of [false, true]) {
      for (const problems of [false, true]) {
        for (const search of ['', 'sCÄn_12', 'nothing']) {
          const finds = textFinder(search);
          const sorted = one.all
            .filter(({ path, state }) => finds(path) && (!problems || state !== 'ok'))
            .toSorted(compareFiles(sort));
          const expected = (descending ? sorted.toReversed() : sorted).map(({ idx }) => idx);
          const query = { ...first, sort, descending, problems, search };
          expect(await allPages(one, query)).toEqual(expected);
          expect((await one.list.page('m', query)).total).toEqual({ count: expected.length, complete: true });
        }
      }
    }
  },
);

it('U12: an order is computed once, also for many simultaneous requests and after a restart', async () => {
  const one = world(1000);
  const written = () => one.statements.filter((sql) => sql.includes('INTO file_orders')).length;
  await Promise.all(Array.from({ length: 20 }, () => one.list.page('m', { ...first, sort: 'path' })));
  expect(written()).toBe(4);
  expect(await fileOrdersStore(storeContext(one.database).database).make('m', 'path')).toBe(true);
  expect(written()).toBe(4);
});

it('U12: an order that was interrupted is computed again', async () => {
  const one = world(1000);
  await one.orders.make('m', 'path');
  const whole = await one.orders.indexesAt('m', 'path', 0, 1000);
  one.database.exec(`DELETE FROM file_orders WHERE block = 3; UPDATE file_orders SET indexes = zeroblob(1024)`);
  expect(await one.orders.make('m', 'path')).toBe(true);
  expect(await one.orders.indexesAt('m', 'path', 0, 1000)).toEqual(whole);
});

it('U12: a measurement that is removed while its order is computed leaves nothing behind, and others are computed', async () => {
  const one = world(3000);
  one.add('other');
  const made = [one.orders.make('m', 'path'), one.orders.make('other', 'path')];
  await new Promise(setImmediate);
  one.database.exec(`DELETE FROM measurements WHERE id = 'm'`);
  expect(await Promise.all(made)).toEqual([false, true]);
  expect(one.database.prepare(`SELECT count(*) FROM file_orders WHERE measurement_id = 'm'`).pluck().get()).toBe(0);
  one.database.exec(`DELETE FROM measurements WHERE id = 'other'`);
  expect(one.database.prepare('SELECT count(*) FROM file_orders').pluck().get()).toBe(0);
});

it('U12: files of a running registration are listed by their index', async () => {
  const one = world(300);
  one.database.exec(`UPDATE measurements SET state = 'registering'`);
  const { rows } = await one.list.page('m', { ...first, sort: 'path' });
  expect(rows.map(({ idx }) => idx)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(one.database.prepare('SELECT count(*) FROM file_orders').pluck().get()).toBe(0);
});

it('S1: a search of many files says "at least" when it did not examine all of them, and continues behind them', async () => {
  const one = world(130_000);
  const page = await one.list.page('m', { ...first, sort: 'index', search: 'scän' });
  expect(page.total?.complete).toBe(false);
  expect(page.rows).toHaveLength(100);
  const none = await one.list.page('m', { ...first, sort: 'index', search: 'nothing like it' });
  expect(none).toMatchObject({ rows: [], total: { count: 0, complete: false } });
  expect(none.next).toBeGreaterThan(90_000);
  expect(
    await one.list.page('m', { ...first, sort: 'index', search: 'nothing like it', after: none.next ?? -1 }),
  ).toEqual({
    rows: [],
    next: null,
    total: null,
  });
});

it('U12: pages are read from an index', async () => {
  const one = world(2000);
  await one.orders.make('m', 'path');
  one.statements.length = 0;
  await one.list.page('m', { ...first, sort: 'path', after: 1500, limit: 200 });
  const reading = one.statements.filter((sql) => sql.startsWith('SELECT'));
  expect(reading.length).toBeGreaterThan(1);
  const plans = reading.flatMap((sql) =>
    one.database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(),
  );
  expect(plans.map(({ detail }) => detail).join('\n')).not.toMatch(/SCAN (measurement_files|file_orders)|TEMP B-TREE/);
});
