import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { auditListStore, type AuditFilter } from '../../../src-main/service/audit/audit-list-store.ts';
import { pastTransfersStore } from '../../../src-main/service/transfers/past-transfers-store.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { addFolding } from '../../../src-main/service/database/text-search.ts';

const statements: string[] = [];
const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
addFolding(database);
for (const { sql } of migrations) database.exec(sql);
database.exec(
  `INSERT INTO audit_events (at, user_id, action, subject) VALUES (1, 1, 'token.create', 'a'), (2, 1, 'token.revoke', 'b')`,
);
database.exec(`INSERT INTO transfers (started_at, measurement_id, what, status) VALUES (1, 'a', 'file', 200)`);
const port = storeContext(database).database;
const store = pastTransfersStore(port);

async function plansOf(search: string): Promise<string> {
  statements.length = 0;
  await store.page(search, 50, 50, new AbortController().signal);
  const reading = statements.filter(
    (sql) => sql.includes('FROM transfers') && !sql.includes('SELECT count(*)') && !sql.includes('max(id)'),
  );
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

it('a page of past transfers is read in index order, without sorting', async () => {
  const plan = await plansOf('');
  expect(plan).toContain('SCAN transfers USING COVERING INDEX transfers_by_time');
  expect(plan).toContain('SEARCH transfers USING INTEGER PRIMARY KEY (rowid=?)');
  expect(plan).not.toContain('TEMP B-TREE');
});

it('a search examines the table in steps, each a range of rows', async () => {
  const plan = await plansOf('needle');
  expect(plan).toContain('SEARCH transfers USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(plan).not.toMatch(/SCAN transfers|TEMP B-TREE/);
});

describe('the audit trail', () => {
  const audit = auditListStore(port);
  const all: AuditFilter = { userId: null, action: '', from: null, before: null };

  it.each([
    ['everything', all, 'USING COVERING INDEX audit_by_time'],
    [
      'what a user did',
      { ...all, userId: 1 },
      'SEARCH audit_events USING COVERING INDEX audit_by_user_time (user_id=?',
    ],
    ['a time', { ...all, from: 1, before: 2 }, 'SEARCH audit_events USING COVERING INDEX audit_by_time ('],
    [
      'some actions',
      { ...all, action: 'token.', from: 1 },
      'SEARCH audit_events USING COVERING INDEX audit_by_action_time (action=? AND ',
    ],
    [
      'some actions of a user',
      { ...all, userId: 1, action: 'token.' },
      'SEARCH audit_events USING COVERING INDEX audit_by_user_action_time (user_id=? AND action=?',
    ],
  ])('S1: is read from its end for a page of %s, without sorting', async (_what, filter, how) => {
    for (const read of [
      async () => audit.page(filter, 20, 0),
      async () => audit.older(filter, { at: 5, id: 5 }, 500),
    ]) {
      statements.length = 0;
      await read();
      const reading = statements.filter((sql) => sql.includes('event.id = page.id'));
      const plan = planOf(reading);
      expect(reading).toHaveLength(1);
      expect(plan).toContain(how);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });
});
