import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations } from '../../../../src-main/service/database/migrations/all.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';
import { addFolding } from '../../../../src-main/service/database/text-search.ts';
import { readErrorSearch } from '../../../../src-main/service/errors/store/list/error-list-search.ts';
import { errorListStore, type ErrorListing } from '../../../../src-main/service/errors/store/list/error-list-store.ts';

const statements: string[] = [];
const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
addFolding(database);
for (const { sql } of migrations) database.exec(sql);
const store = errorListStore(storeContext(database).database);

async function planOf(query: string, sort: ErrorListing['sort'], after: ErrorListing['after'] = null): Promise<string> {
  statements.length = 0;
  await store.page({ projectId: 1, search: readErrorSearch(query), sort, after, limit: 51 });
  return statements
    .flatMap((sql) => database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => detail)
    .join('\n');
}

it.each(['last_seen', 'first_seen', 'events', 'users'] as const)(
  'reads errors in the order of %s from an index, and never all of them',
  async (sort) => {
    for (const query of [
      '',
      'is:resolved two words',
      'is:resolved is:unresolved is:ignored',
      'größe',
      'level:error',
      'environment:lab bench:1',
    ]) {
      const plan = await planOf(query, sort);
      expect(plan).toContain(`SEARCH errors USING COVERING INDEX errors_by_${sort} (project_id=? AND status=?)`);
      expect(plan).not.toMatch(/SCAN (?!json_each)|TEMP B-TREE/);
    }
    const next = await planOf('', sort, { value: 7, id: 7 });
    expect(next).toContain(`(project_id=? AND status=? AND ${sort}<?)`);
  },
);

it('S1: a tag is looked up in the groups of an error', async () => {
  const plan = await planOf('environment:lab', 'last_seen');
  expect(plan).toContain('SEARCH error_groups USING COVERING INDEX error_groups_of_error (error_id=?)');
  expect(plan).toMatch(
    /SEARCH error_tags USING (COVERING INDEX error_tags_by_value \(tag=\? AND value=\? AND group_id=\?|PRIMARY KEY \(group_id=\? AND tag=\? AND value=\?)/,
  );
});
