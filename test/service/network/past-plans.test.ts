import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { pastTransfersStore } from '../../../src-main/service/audit/past-transfers-store.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';

const statements: string[] = [];
const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
for (const { sql } of migrations) database.exec(sql);
database.exec(`INSERT INTO transfers (started_at, measurement_id, what, status) VALUES (1, 'a', 'file', 200)`);
const store = pastTransfersStore(database);

async function plansOf(search: string): Promise<string> {
  statements.length = 0;
  await store.page(search, 50, 50, new AbortController().signal);
  const reading = statements.filter((sql) => sql.includes('FROM transfers') && !sql.includes('count(*)') && !sql.includes('max(id)'));
  expect(reading.length).toBe(2);
  return reading
    .flatMap((sql) =>
      database
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail),
    )
    .join('\n');
}

it('reads a page of past transfers in the order of their index, and sorts nothing', async () => {
  const plan = await plansOf('');
  expect(plan).toContain('SCAN transfers USING COVERING INDEX transfers_by_time');
  expect(plan).toContain('SEARCH transfers USING INTEGER PRIMARY KEY (rowid=?)');
  expect(plan).not.toContain('TEMP B-TREE');
});

it('searches in steps of the table, each a stretch of rows', async () => {
  const plan = await plansOf('needle');
  expect(plan).toContain('SEARCH transfers USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(plan).not.toMatch(/SCAN transfers|TEMP B-TREE/);
});
