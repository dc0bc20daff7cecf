import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { addFolding } from '../../../src-main/service/database/text-search.ts';
import { windowOf } from '../../../src-main/service/timeline/store/run-window.ts';
import { timelineStores } from '../../../src-main/service/timeline/store/stores.ts';

const statements: string[] = [];
const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
addFolding(database);
for (const { sql } of migrations) database.exec(sql);
database.exec(`INSERT INTO projects (id, path, name, created_at) VALUES (1, 'lab', 'lab', 1);
  INSERT INTO users (id, username, name, created_at) VALUES (1, 'alice', 'Alice', 1);
  INSERT INTO errors (id, project_id, type, value, culprit, level, platform, first_seen, last_seen, events) VALUES (1, 1, 'A', '', '', 'error', '', 1, 4e9, 1);
  INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at, began_at, ended_at) VALUES ('run', 'run', 'run', 1, 'library', '', 'available', 1, 1, 2)`);
const stores = timelineStores(storeContext(database));

async function planOf(work: () => Promise<unknown>): Promise<string> {
  statements.length = 0;
  await work();
  return statements
    .flatMap((sql) => database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => detail)
    .join('\n');
}

it.each([1, 10])('finds the errors of a run of %i days by indexes alone', async (days) => {
  const window = windowOf(0, days * 86_400_000);
  if (window === null) throw new Error('no window');
  const plan = await planOf(async () => stores.windowErrors.counts([1], window));
  expect(plan).toContain(
    'SEARCH errors USING INDEX errors_by_last_seen (project_id=? AND status=? AND last_seen>? AND last_seen<?)',
  );
  expect(plan).toContain('SEARCH error_groups USING COVERING INDEX error_groups_of_error (error_id=?)');
  const unit = days === 1 ? 'minute' : 'hour';
  expect(plan).toContain(`SEARCH error_${unit}s USING PRIMARY KEY (group_id=? AND ${unit}>? AND ${unit}<?)`);
  expect(plan).not.toMatch(/SCAN (?!json_each)/);
});

it('finds the runs of an error by indexes alone', async () => {
  const plan = await planOf(async () =>
    stores.touchedRuns.page({
      visibleTo: null,
      errorId: 1,
      firstSeen: 0,
      lastSeen: 4e9,
      registeredSince: 0,
      after: null,
      limit: 10,
      now: 0,
    }),
  );
  expect(plan).toContain('SEARCH measurements USING PRIMARY KEY (id=?)');
  expect(plan).toContain('SEARCH error_groups USING COVERING INDEX error_groups_of_error (error_id=?)');
  for (const unit of ['minute', 'hour'])
    expect(plan).toContain(`SEARCH error_${unit}s USING PRIMARY KEY (group_id=? AND ${unit}>? AND ${unit}<?)`);
  expect(plan).not.toMatch(/SCAN (?!json_each)/);
});
