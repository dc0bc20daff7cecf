import { expect, it } from 'vitest';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import { readErrorSearch } from '../../../src-main/service/errors/store/list/error-list-search.ts';
import { errorListStore } from '../../../src-main/service/errors/store/list/error-list-store.ts';
import { postgresErrorListStore } from '../../../src-main/service/errors/store/list/postgres-error-list-store.ts';
import { createTestDatabase } from './database.ts';
import { useWorld } from '../use-service.ts';

// Many enough that a search is sorted or read in order, and begins at a tag or does not. The first
// project has 11,000 errors, more than are counted.
const fill = `
INSERT INTO projects (path, name, created_at) VALUES ('lab/one', 'One', 1), ('lab/two', 'Two', 1);
INSERT INTO errors (id, project_id, status, type, value, culprit, level, platform, first_seen, last_seen, events, users)
  SELECT n, CASE WHEN n % 12 = 0 THEN 2 ELSE 1 END, (ARRAY['unresolved', 'unresolved', 'unresolved', 'resolved', 'ignored'])[n % 5 + 1],
    'StationError' || n % 97, CASE WHEN n % 200 = 7 THEN 'Überlauf 100% a_b\\c' ELSE 'step ' || n END, 'station.measure',
    (ARRAY['error', 'warning', 'fatal'])[n % 3 + 1], 'python', n * 7919 % 5003, n * 104729 % 7001, n % 11, n % 7
  FROM generate_series(1, 12000) AS n;
INSERT INTO error_groups (id, project_id, error_id, version, key_hash, first_seen, last_seen, events)
  SELECT id, project_id, id, 1, decode(md5(id::text), 'hex'), first_seen, last_seen, events FROM errors;
-- A second group of some errors, as merging leaves them.
INSERT INTO error_groups (id, project_id, error_id, version, key_hash, first_seen, last_seen, events)
  SELECT id + 100000, project_id, id, 1, decode(md5('second' || id), 'hex'), first_seen, last_seen, 1 FROM errors WHERE id % 30 = 0;
INSERT INTO error_tags (group_id, tag, value, events, last_seen)
  SELECT id, 'environment', CASE WHEN id % 10 = 0 THEN 'staging' ELSE 'production' END, 1, 1 FROM error_groups;
INSERT INTO error_tags (group_id, tag, value, events, last_seen) SELECT id, 'operator', 'o' || id % 60, 1, 1 FROM error_groups;
INSERT INTO error_tags (group_id, tag, value, events, last_seen) SELECT id, 'beam', 'b' || id % 3, 1, 1 FROM error_groups WHERE project_id = 2;
ANALYZE;`;

const searches = [
  '',
  'is:resolved',
  'is:ignored is:unresolved is:resolved',
  'level:fatal',
  'level:fatal level:error',
  'operator:o17',
  'operator:o17 operator:o18',
  'operator:o17 environment:production',
  'environment:production operator:o17 level:error',
  'environment:production',
  'environment:staging is:resolved is:unresolved',
  'environment:nowhere',
  'beam:b1',
  'station',
  'STATIONERROR77',
  'stationerror9 operator:o3',
  'überlauf',
  'ÜBERLAUF "100% A_B"',
  '100_',
  String.raw`b\c`,
  'nothing like it',
  '"a\0b"',
];
const sorts = ['last_seen', 'first_seen', 'events', 'users'] as const;

/** Both stores on one database. */
async function startStores() {
  const made = await createTestDatabase();
  await made.query(fill);
  const opened = await openPostgres({ url: made.url, listenUrl: null, connections: 4 }, null, () => {});
  const { database } = opened.context;
  const end = async () => {
    await opened.close();
    await made.remove();
  };
  return { walking: errorListStore(database), asking: postgresErrorListStore(database), end };
}

const stores = useWorld(startStores);

it.each(searches)('finds, sorts and counts %j as a walk through the list does', async (text) => {
  const search = readErrorSearch(text);
  for (const projectId of [1, 2, 3]) {
    expect(await stores.asking.count(projectId, search)).toEqual(await stores.walking.count(projectId, search));
    for (const sort of sorts) {
      let after = null;
      for (let page = 0; page < 3; page += 1) {
        const listing = { projectId, search, sort, after, limit: page === 0 ? 51 : 200 };
        const rows = await stores.asking.page(listing);
        expect(rows).toEqual(await stores.walking.page(listing));
        const last = rows.at(-1);
        if (!last) break;
        after = { value: last[sort], id: last.id };
      }
    }
  }
});

it('counts no further than a list says', async () => {
  expect(await stores.asking.count(1, readErrorSearch('is:ignored is:unresolved is:resolved'))).toEqual({
    count: 10_000,
    complete: false,
  });
});

it('gives every match once over all pages, also behind the matches that are sorted', async () => {
  const search = readErrorSearch('environment:production station');
  const seen: number[] = [];
  let after = null;
  for (;;) {
    const rows = await stores.asking.page({ projectId: 1, search, sort: 'events', after, limit: 700 });
    seen.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last) break;
    after = { value: last.events, id: last.id };
  }
  const { count } = await stores.asking.count(1, search);
  expect(seen).toHaveLength(count);
  expect(new Set(seen).size).toBe(count);
});
