import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { GroupCommit } from '../../../../src-main/service/database/sqlite/group-commit.ts';
import { migrateFetchTables } from '../../../../src-main/service/database/migrations/early/fetch-tables.ts';
import type { Journal, JournalFile } from '../../../../src-main/service/fetching/engine/types.ts';
import { fetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import { someFetch } from '../some-fetch.ts';
import { journalStore } from '../../../../src-main/service/fetching/store/journal-store.ts';

export function file(index: number, length: number | null): JournalFile {
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

interface Counters {
  readonly files_done: number;
  readonly bytes_done: number;
  readonly bytes_verified: number;
}

/** A journal on a database of its own for each test, with one fetch. */
export function useJournal() {
  let dir: string;
  const scene = {} as { database: Database.Database; journal: Journal; id: number; statements: string[] };

  // A separate database, as beside the target of `benchport download`.
  beforeEach(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-journal-'));
    scene.statements = [];
    scene.database = new Database(path.join(dir, 'journal.db'), {
      verbose: (sql) => scene.statements.push(String(sql)),
    });
    scene.database.pragma('foreign_keys = ON');
    // Thousands of commits; that each waits for the disk is SQLite's part.
    scene.database.pragma('synchronous = OFF');
    migrateFetchTables(scene.database);
    const commits = new GroupCommit(scene.database);
    scene.journal = journalStore(scene.database, commits);
    scene.id = (await fetchesStore(scene.database, commits).create({ ...someFetch, serverId: null })).id;
  });
  afterEach(async () => {
    scene.database.close();
    await rm(dir, { recursive: true, force: true });
  });
  const stored = () =>
    scene.database
      .prepare<[number], Counters>('SELECT files_done, bytes_done, bytes_verified FROM fetches WHERE id = ?')
      .get(scene.id);

  return Object.assign(scene, { stored });
}
