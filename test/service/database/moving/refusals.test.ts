import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readDataMark, writeDataMark } from '../../../../src-main/service/database/moving/data-mark.ts';
import type { MoveContents } from '../../../../src-main/service/database/moving/examine.ts';
import { moveDatabase, rehearseMove } from '../../../../src-main/service/database/moving/move-database.ts';
import { withSides } from '../../../../src-main/service/database/moving/open-sides.ts';
import { migratePostgres, newestSchema } from '../../../../src-main/service/database/postgres/migrate.ts';
import { openSqliteFile } from '../../../../src-main/service/database/sqlite/sqlite-file.ts';
import { execute } from '../../postgres/database.ts';
import {
  emptyDatabase,
  moveAll,
  queryPostgres,
  serve,
  temporaryFolder,
  toPostgres,
  toSqlite,
  useMove,
  whyNotServed,
} from './move-fixture.ts';

const { signal } = new AbortController();
const move = useMove();

/** Changes the database of the data directory. */
function change(sql: string): void {
  const database = openSqliteFile(path.join(move.fixture.dataDir, 'benchport.db'));
  database.exec(sql);
  database.close();
}

async function rehearse(url = move.fixture.url): Promise<MoveContents> {
  return withSides({ ...toPostgres({ ...move.fixture, url }), mayCreate: false }, async (source, target) =>
    rehearseMove({ source, target, report: () => undefined, signal }),
  );
}

/** Nothing was left on either side. */
async function expectUntouched(): Promise<void> {
  expect(existsSync(path.join(move.fixture.dataDir, 'database-move.json'))).toBe(false);
  expect(
    await queryPostgres(move.fixture.url, `SELECT relname FROM pg_class WHERE relname IN ('users', 'database_move')`),
  ).toEqual([]);
}

it('a rehearsal says what there is and changes nothing', async () => {
  const { tables, bytes, problems, leftBehind } = await rehearse();
  expect(problems).toEqual([]);
  expect(tables.find(({ table }) => table === 'error_samples')).toEqual({
    table: 'error_samples',
    rows: 1,
    bytes: 5_000_008,
  });
  expect(bytes).toBe(tables.reduce((sum, table) => sum + table.bytes, 0));
  expect(leftBehind.map(({ table }) => table)).toEqual(['fetches', 'remote_servers']);
  await expectUntouched();
});

it('refuses a source that a service uses', async () => {
  const service = await serve(move.fixture.dataDir);
  await expect(moveAll(toPostgres(move.fixture))).rejects.toThrow(
    /Another Benchport service is using the data directory/,
  );
  await service.stop();
  await expectUntouched();
});

it('refuses what PostgreSQL cannot store, and says where it is', async () => {
  change(`UPDATE users SET name = 'a' || char(0) || 'b' WHERE id = 40;
    UPDATE measurement_files SET location = hex(randomblob(2000)) WHERE measurement_id = 'A-first' AND idx = 3;
    UPDATE error_hours SET events = 9007199254740993`);
  const { problems } = await rehearse();
  expect(problems.map(({ table, column, key }) => [table, column, key])).toEqual(
    expect.arrayContaining([
      ['users', 'name', '40'],
      ['measurement_files', 'location', 'A-first, 3'],
      ['error_hours', 'events', '21, 500000'],
    ]),
  );
  expect(problems.length).toBe(3);
  await expect(moveAll(toPostgres(move.fixture))).rejects.toThrow(
    / of the row .* Nothing was moved\. Run it with --dry-run/,
  );
  await expectUntouched();
  change(`UPDATE users SET name = 'Bob' WHERE id = 40;
    UPDATE measurement_files SET location = 'l' WHERE measurement_id = 'A-first' AND idx = 3;
    UPDATE error_hours SET events = 3, hour = 9007199254740993`);
  await expect(moveAll(toPostgres(move.fixture))).rejects.toThrow(/The table error_hours has a key beyond 2\^53/);
  change('UPDATE error_hours SET hour = 500000');
  expect((await rehearse()).problems).toEqual([]);
  await expectUntouched();
});

it('refuses a source of another version', async () => {
  change('PRAGMA user_version = 18');
  await expect(rehearse()).rejects.toThrow(
    /was written by an older Benchport \(database version 18; .* Run "benchport user list --data/,
  );
  change('PRAGMA user_version = 99999');
  await expect(rehearse()).rejects.toThrow(/was written by a newer Benchport \(database version 99999/);
  change(`PRAGMA user_version = ${newestSchema()}`);
  await expectUntouched();
});

it('refuses a PostgreSQL that cannot be used', async () => {
  const missing = new URL(move.fixture.url);
  missing.pathname = '/missing';
  missing.password = 'hidden';
  const error: unknown = await rehearse(missing.href).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/database "missing" does not exist\. Create it first/);
  expect(String(error)).not.toContain('hidden');
  await expect(rehearse('postgres://127.0.0.1:1/x')).rejects.toThrow(
    /cannot be used: .*ECONNREFUSED.* Check that the server runs/,
  );

  const ascii = await emptyDatabase(`ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`);
  await expect(rehearse(ascii.url)).rejects.toThrow(/has the encoding SQL_ASCII\. Create it with ENCODING 'UTF8'/);
  await ascii.remove();
});

it('refuses a target that is newer, in another move, or has rows', async () => {
  const used = await emptyDatabase();
  await migratePostgres(used.url);
  await execute(used.url, `INSERT INTO settings VALUES ('a', 'b')`);
  await expect(rehearse(used.url)).rejects.toThrow(/is not empty: it has rows in settings\. Name an empty database/);
  await execute(used.url, 'DELETE FROM settings; UPDATE schema_version SET version = 99999');
  await expect(rehearse(used.url)).rejects.toThrow(/was written by a newer Benchport/);
  await execute(
    used.url,
    `UPDATE schema_version SET version = ${newestSchema()};
    INSERT INTO replicas (name, version, started_at, lease_until, seen, seen_at) VALUES ('two', '1', 0, milliseconds_now() + 60000, '', 0)`,
  );
  await expect(moveAll(toPostgres({ ...move.fixture, url: used.url }))).rejects.toThrow(
    /A service uses the database .* \(two\)\. Stop it/,
  );
  await expectUntouched();
  await used.remove();
});

it('refuses folders that are in use or have a database', async () => {
  const source = await emptyDatabase();
  const folder = await temporaryFolder();
  await expect(moveAll(toSqlite(folder, source.url))).rejects.toThrow(
    /has no tables of Benchport: there is nothing to move/,
  );
  await migratePostgres(source.url);
  await expect(moveAll(toSqlite(move.fixture.dataDir, source.url))).rejects.toThrow(
    /There is a database in .* already/,
  );
  const blocked = path.join(folder, 'file', 'below');
  await writeFile(path.join(folder, 'file'), '');
  await expect(moveAll(toSqlite(blocked, source.url))).rejects.toThrow(/is not a directory/);

  const service = await serve(move.fixture.dataDir, source.url);
  await expect(moveAll(toSqlite(folder, source.url))).rejects.toThrow(/A service uses the database .*\. Stop it/);
  await service.stop();
  await execute(source.url, 'UPDATE schema_version SET version = 18');
  await expect(moveAll(toSqlite(folder, source.url))).rejects.toThrow(
    /has the version 18, .* Run "benchport database migrate" first/,
  );
  await execute(source.url, `UPDATE schema_version SET version = ${newestSchema()}`);
  expect(await queryPostgres(source.url, `SELECT relname FROM pg_class WHERE relname = 'database_move'`)).toEqual([]);
  await source.remove();
  await rm(folder, { recursive: true });
});

it('a mark that cannot be read keeps the service from starting', async () => {
  const file = path.join(move.fixture.dataDir, 'database-move.json');
  await writeFile(file, '{');
  expect(await whyNotServed(move.fixture.dataDir)).toContain(
    `${file}, which says where the database was moved, cannot be read`,
  );
  writeDataMark(move.fixture.dataDir, null);
  expect(readDataMark(move.fixture.dataDir)).toBeNull();
});

it('a command that writes at the same time is waited for, or makes the move wait', async () => {
  const database = openSqliteFile(path.join(move.fixture.dataDir, 'benchport.db'), { timeout: 0 });
  try {
    await withSides(toPostgres(move.fixture), async (source, target) => {
      const stopped = moveDatabase({
        source,
        target,
        signal,
        report: () => {
          expect(() => database.exec(`UPDATE users SET name = 'late' WHERE id = 40`)).toThrow(/locked/);
          throw new Error('seen');
        },
      });
      await expect(stopped).rejects.toThrow('seen');
    });
  } finally {
    database.close();
  }
  await expectUntouched();
});

it('two moves at once are refused', async () => {
  await mkdir(path.join(move.fixture.dir, 'other'));
  await withSides(toPostgres(move.fixture), async () => {
    await expect(moveAll(toPostgres(move.fixture))).rejects.toThrow(/is using the data directory/);
  });
});
