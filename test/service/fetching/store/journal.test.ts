import Database from 'better-sqlite3';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GroupCommit } from '../../../../src-main/service/database/group-commit.ts';
import { fetchTables } from '../../../../src-main/service/database/migrations/early/0004-fetching.ts';
import { migrateFetchTables } from '../../../../src-main/service/database/migrations/early/fetch-tables.ts';
import type { Journal, JournalChange, JournalFile, Piece } from '../../../../src-main/service/fetching/engine/types.ts';
import { fetchListStore } from '../../../../src-main/service/fetching/store/fetch-list-store.ts';
import { fetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import { journalStore } from '../../../../src-main/service/fetching/store/journal-store.ts';

let dir: string;
let database: Database.Database;
let journal: Journal;
let id: number;
let statements: string[];

// A separate database, as beside the target of `benchport download`.
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-journal-'));
  statements = [];
  database = new Database(path.join(dir, 'journal.db'), { verbose: (sql) => statements.push(String(sql)) });
  database.pragma('foreign_keys = ON');
  // Thousands of commits; that each waits for the disk is SQLite's part.
  database.pragma('synchronous = OFF');
  migrateFetchTables(database);
  const commits = new GroupCommit(database);
  journal = journalStore(database, commits);
  id = (await fetchesStore(database, commits).create(wish)).id;
});
afterEach(async () => {
  database.close();
  await rm(dir, { recursive: true, force: true });
});

const wish = {
  serverId: null,
  baseUrl: 'http://lab.example',
  measurementId: 'm',
  title: null,
  what: 'files',
  chosen: null,
  target: '/data/m',
  unpack: false,
  priority: 0,
  paused: false,
} as const;

function file(index: number, length: number | null): JournalFile {
  return {
    index,
    path: `f${index}`,
    href: null,
    length,
    crc32: 1,
    sha256: null,
    etag: null,
    state: 'waiting',
    restarts: 0,
  };
}

const done = (index: number, length: number): JournalChange => ({
  kind: 'done',
  index,
  skipped: false,
  length,
  crc32: 7,
  sha256: new Uint8Array(32),
});
const failed = (index: number): JournalChange => ({ kind: 'failed', index, reason: 'not-found', message: 'gone' });

interface Counters {
  readonly files_done: number;
  readonly bytes_done: number;
  readonly bytes_verified: number;
}
const stored = () =>
  database
    .prepare<[number], Counters>('SELECT files_done, bytes_done, bytes_verified FROM fetches WHERE id = ?')
    .get(id);

test('pieces are merged with their neighbours, whatever the order and overlap', async () => {
  const range = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }))
    .map(([start, length]): Piece => [start, start + length]);
  let index = -1;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(range, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (records) => {
        index += 1;
        const bytesBefore = (await journal.standing(id)).bytesDone;
        await journal.addFiles(id, [file(index, 100)]);
        for (const pieces of records) await journal.record(id, [{ kind: 'pieces', index, pieces }]);
        const there = Array.from({ length: 101 }, (_none, at) =>
          records.flat().some(([start, end]) => start <= at && at < end),
        );
        const merged: [number, number][] = [];
        for (const [at, is] of there.entries()) {
          if (is && there[at - 1] !== true) merged.push([at, at + 1]);
          else if (is) (merged.at(-1) as [number, number])[1] = at + 1;
        }
        expect(await journal.pieces(id, index)).toEqual(merged);
        expect((await journal.standing(id)).bytesDone - bytesBefore).toBe(there.filter(Boolean).length);
      },
    ),
    { numRuns: 60 },
  );
});

test('counters are those of the files after whatever happens to them', async () => {
  const index = fc.nat(4);
  const change = fc.oneof(
    fc.record({
      kind: fc.constant('pieces' as const),
      index,
      pieces: fc.constantFrom([[0, 10]] as Piece[], [[5, 40]] as Piece[], [[90, 100]] as Piece[]),
    }),
    fc.record({ kind: fc.constant('restart' as const), index, counts: fc.boolean() }),
    fc.record({
      kind: fc.constant('begin' as const),
      index,
      etag: fc.constant('"a"'),
      length: fc.constantFrom(null, 100),
    }),
    index.map((at) => done(at, 100)),
    index.map(failed),
    // Of those whose checksums are listed, some may have pieces, be done or have failed.
    fc
      .constantFrom([0, 0], [0, 3], [1, 2], [2, 3])
      .map(([first = 0, last = 0]): JournalChange => ({ kind: 'as-listed', first, last })),
  );
  await journal.addFiles(
    id,
    [0, 1, 2, 3, 4].map((at) => ({ ...file(at, at === 4 ? null : 100), sha256: at === 4 ? null : new Uint8Array(32) })),
  );
  await journal.begin(id, { manifestDigest: new Uint8Array([1]), filesTotal: 5, bytesTotal: null });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
      await journal.record(id, changes);
      const rows = (await fetchListStore(database).files(id, 'all', 0, 10)).rows;
      const sum = (some: typeof rows) => some.reduce((total, row) => total + row.bytes_done, 0);
      const whole = rows.filter(({ state }) => state === 'done');
      expect(stored()).toEqual({ files_done: whole.length, bytes_done: sum(rows), bytes_verified: sum(whole) });
      expect(await journal.standing(id)).toEqual({
        filesDone: whole.length,
        bytesDone: sum(rows),
        bytesVerified: sum(whole),
      });
      const open = rows.filter(({ state }) => state === 'waiting' || state === 'partial').map((row) => row.idx);
      expect((await journal.openFiles(id, -1, 10)).map((row) => row.index)).toEqual(open);
      expect((await journal.doneFiles(id, -1, 10)).map((row) => row.index)).toEqual(whole.map((row) => row.idx));
    }),
    { numRuns: 100 },
  );
});

describe('a file', () => {
  beforeEach(() => journal.addFiles(id, [file(0, 100), file(1, null), file(2, 5)]));

  test('that is begun anew has no bytes, no tag, and counts that or not', async () => {
    await journal.record(id, [
      { kind: 'begin', index: 0, etag: '"a"', length: null },
      { kind: 'pieces', index: 0, pieces: [[0, 50]] },
    ]);
    expect(await journal.openFiles(id, -1, 1)).toMatchObject([
      { index: 0, etag: '"a"', state: 'partial', length: 100 },
    ]);
    await journal.record(id, [{ kind: 'restart', index: 0, counts: true }]);
    expect(await journal.openFiles(id, -1, 1)).toMatchObject([{ index: 0, etag: null, state: 'waiting', restarts: 1 }]);
    expect(await journal.pieces(id, 0)).toEqual([]);
    expect(await journal.openFiles(id, 0, 1)).toMatchObject([{ index: 1 }]);
  });

  test('tells its length when that was not known, and with it the sum', async () => {
    await journal.begin(id, { manifestDigest: null, filesTotal: 3, bytesTotal: null });
    const total = () => database.prepare('SELECT bytes_total FROM fetches').pluck().get();
    await journal.record(id, [{ kind: 'begin', index: 1, etag: null, length: 1000 }]);
    expect(total()).toBe(1105);
    await journal.record(id, [{ kind: 'restart', index: 1, counts: false }]);
    await journal.record(id, [{ kind: 'begin', index: 1, etag: null, length: 2000 }]);
    expect(total()).toBe(2105);
  });

  test('that was promised by nobody is forgotten when it has gone', async () => {
    await journal.begin(id, { manifestDigest: null, filesTotal: 3, bytesTotal: null });
    await journal.record(id, [done(1, 1000), done(2, 5)]);
    await journal.record(id, [
      { kind: 'restart', index: 1, counts: false, forgets: true },
      { kind: 'restart', index: 2, counts: false },
    ]);
    const [, one, two] = await journal.openFiles(id, -1, 10);
    expect(one).toMatchObject({ length: null, crc32: null, sha256: null, restarts: 0 });
    expect(two).toMatchObject({ length: 5, crc32: expect.any(Number) });
    expect(stored()).toEqual({ files_done: 0, bytes_done: 0, bytes_verified: 0 });
    expect(database.prepare('SELECT bytes_total FROM fetches').pluck().get()).toBeNull();
  });

  test('is listed once, however often its listing was interrupted', async () => {
    await journal.record(id, [done(0, 100)]);
    await journal.addFiles(id, [file(0, 100), file(3, 9)]);
    expect((await journal.openFiles(id, -1, 10)).map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  test('that is not known is no reason to lose the others of a record', async () => {
    await expect(journal.record(id, [done(0, 100), done(77, 1)])).rejects.toThrow('77');
    expect(stored()).toEqual({ files_done: 0, bytes_done: 0, bytes_verified: 0 });
    await expect(journal.record(id, [{ kind: 'pieces', index: 0, pieces: [[5, 5]] }])).rejects.toThrow('no piece');
  });
});

test('records of one moment are one commit', async () => {
  await journal.addFiles(id, [file(0, 100), file(1, 100)]);
  statements.length = 0;
  await Promise.all([
    journal.record(id, [{ kind: 'pieces', index: 0, pieces: [[0, 9]] }]),
    journal.record(id, [{ kind: 'pieces', index: 1, pieces: [[0, 9]] }]),
    journal.log(id, 'info', 'a line'),
  ]);
  expect(statements.filter((sql) => sql.startsWith('COMMIT'))).toHaveLength(1);
  expect(stored()).toMatchObject({ bytes_done: 18 });
});

test('neighbours that came as listed are done with one statement', async () => {
  await journal.addFiles(
    id,
    Array.from({ length: 120 }, (_none, at) => ({ ...file(at, 100), sha256: new Uint8Array(32) })),
  );
  statements.length = 0;
  await journal.record(id, [{ kind: 'as-listed', first: 10, last: 109 }]);
  expect(statements.filter((sql) => sql.startsWith('UPDATE fetch_files'))).toHaveLength(1);
  expect(stored()).toEqual({ files_done: 100, bytes_done: 10_000, bytes_verified: 10_000 });
  expect((await journal.openFiles(id, -1, 100)).map(({ index }) => index)).toEqual(
    Array.from({ length: 20 }, (_none, at) => (at < 10 ? at : at + 100)),
  );
});

test('the newest lines of the log are kept', async () => {
  await Promise.all(Array.from({ length: 620 }, async (_none, at) => journal.log(id, 'info', `line ${at}`)));
  const lines = await fetchListStore(database).log(id, 1000);
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
