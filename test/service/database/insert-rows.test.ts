import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { insertRows } from '../../../src-main/service/database/insert-rows.ts';

test.each([0, 1, 31, 32, 33, 100])('%i rows are inserted, each once and in order', (count) => {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER, b TEXT)');
  const rows = Array.from({ length: count }, (_, i) => [i * 7, i % 3 === 0 ? null : `row ${i}`] as const);
  insertRows(database, 'INSERT INTO t (a, b)', 2)(rows);
  expect(database.prepare('SELECT a, b FROM t ORDER BY id').raw().all()).toEqual(rows);
  database.close();
});
