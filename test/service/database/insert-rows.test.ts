import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { insertRows, insertRowsForIds } from '../../../src-main/service/database/insert-rows.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';

test.each([0, 1, 31, 32, 33, 100])('%i rows are inserted, each once and in order', async (count) => {
  const connection = new Database(':memory:');
  connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER, b TEXT)');
  const { database } = storeContext(connection);
  const rows = Array.from({ length: count }, (_, i) => [i * 7, i % 3 === 0 ? null : `row ${i}`] as const);
  await database.transaction(() => insertRows('INSERT INTO t (a, b)', 2)(rows));
  expect(connection.prepare('SELECT a, b FROM t ORDER BY id').raw().all()).toEqual(rows);
  const ids = await database.transaction(() => insertRowsForIds('INSERT INTO t (a, b)', 2)(rows));
  expect(ids).toEqual(rows.map((_, at) => count + at + 1));
  connection.close();
});
