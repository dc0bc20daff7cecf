import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { fetchTables } from '../../../../src-main/service/database/migrations/early/0004-fetching.ts';
import { migrateFetchTables } from '../../../../src-main/service/database/migrations/early/fetch-tables.ts';
import { fetchListStore } from '../../../../src-main/service/fetching/store/fetch-list-store.ts';
import { file, useJournal } from './journal-world.ts';

const world = useJournal();
const { stored } = world;

test('records of one moment are one commit', async () => {
  await world.journal.addFiles(world.id, [file(0, 100), file(1, 100)]);
  world.statements.length = 0;
  await Promise.all([
    world.journal.record(world.id, [{ kind: 'pieces', index: 0, pieces: [[0, 9]] }]),
    world.journal.record(world.id, [{ kind: 'pieces', index: 1, pieces: [[0, 9]] }]),
    world.journal.log(world.id, 'info', 'a line'),
  ]);
  expect(world.statements.filter((sql) => sql.startsWith('COMMIT'))).toHaveLength(1);
  expect(stored()).toMatchObject({ bytes_done: 18 });
});

test('neighbours that came as listed are done with one statement', async () => {
  await world.journal.addFiles(
    world.id,
    Array.from({ length: 120 }, (_none, at) => ({ ...file(at, 100), sha256: new Uint8Array(32) })),
  );
  world.statements.length = 0;
  await world.journal.record(world.id, [{ kind: 'as-listed', first: 10, last: 109 }]);
  expect(world.statements.filter((sql) => sql.startsWith('UPDATE fetch_files'))).toHaveLength(1);
  expect(stored()).toEqual({ files_done: 100, bytes_done: 10_000, bytes_verified: 10_000 });
  expect((await world.journal.openFiles(world.id, -1, 100)).map(({ index }) => index)).toEqual(
    Array.from({ length: 20 }, (_none, at) => (at < 10 ? at : at + 100)),
  );
});

test('the newest lines of the log are kept', async () => {
  await Promise.all(
    Array.from({ length: 620 }, async (_none, at) => world.journal.log(world.id, 'info', `line ${at}`)),
  );
  const lines = await fetchListStore(world.database).log(world.id, 1000);
  expect([lines.length, lines[0]?.message, lines.at(-1)?.message]).toEqual([500, 'line 120', 'line 619']);
});

test('the tables that an earlier program made are renewed, and those of a later one refused', () => {
  const beside = new Database(':memory:');
  beside.exec(fetchTables);
  beside.pragma('user_version = 4');
  migrateFetchTables(beside);
  expect(beside.prepare("SELECT 1 FROM pragma_table_info('fetches') WHERE name = 'title_key'").get()).toBeDefined();
  migrateFetchTables(beside);
  beside.pragma('user_version = 99');
  expect(() => migrateFetchTables(beside)).toThrow('another version');
  beside.close();
});
