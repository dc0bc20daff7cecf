import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { addFolding } from '../../../src-main/service/database/text-search.ts';
import { readErrorSearch } from '../../../src-main/service/errors/error-list-search.ts';
import { errorListStore, type ErrorListing } from '../../../src-main/service/errors/error-list-store.ts';

const statements: string[] = [];
const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
addFolding(database);
for (const { sql } of migrations) database.exec(sql);
const store = errorListStore(database);

async function planOf(query: string, sort: ErrorListing['sort'], after: ErrorListing['after'] = null): Promise<string> {
  statements.length = 0;
  await store.page({ projectId: 1, search: readErrorSearch(query), sort, after, limit: 51 });
  const steps = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${statements[0] ?? ''}`).all();
  return steps.map(({ detail }) => detail).join('\n');
}

it.each(['last_seen', 'first_seen', 'events', 'users'] as const)('reads errors in the order of %s from an index, and never all of them', async (sort) => {
  for (const query of ['', 'is:resolved two words', 'größe', 'level:error', 'environment:lab bench:1']) {
    const plan = await planOf(query, sort);
    expect(plan).toContain(`SEARCH errors USING INDEX errors_by_${sort} (project_id=? AND status=?)`);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
  const next = await planOf('', sort, { value: 7, id: 7 });
  expect(next).toContain(`(project_id=? AND status=? AND ${sort}<?)`);
});

it('finds the errors of a tag by its value', async () => {
  expect(await planOf('environment:lab', 'last_seen')).toContain('SEARCH error_tags USING COVERING INDEX error_tags_by_value (tag=? AND value=?)');
});
