import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { auditListStore, type AuditFilter } from '../../../src-main/service/audit/audit-list-store.ts';
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
  return planOf(reading);
}

function planOf(reading: readonly string[]): string {
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

describe('the audit trail', () => {
  const audit = auditListStore(database);
  const all: AuditFilter = { userId: null, action: '', from: null, before: null };

  it.each([
    ['everything', all, 'SCAN event'],
    ['what a user did', { ...all, userId: 1 }, 'SEARCH event USING INDEX audit_by_user'],
    ['a time', { ...all, from: 1, before: 2 }, 'SCAN event'],
  ])('is read from its end for a page of %s, and not sorted', async (_what, filter, how) => {
    statements.length = 0;
    await audit.page(filter, 20, 0);
    const plan = planOf(statements.filter((sql) => sql.includes('ORDER BY')));
    expect(plan).toContain(how);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it('is exported page by page without sorting what is left, whatever the filter', async () => {
    statements.length = 0;
    await audit.older({ ...all, action: 'token.' }, 1000, 500);
    await audit.older({ ...all, userId: 1, action: 'token.', from: 1 }, 1000, 500);
    expect(statements).toHaveLength(2);
    expect(planOf(statements)).not.toContain('TEMP B-TREE');
  });
});
