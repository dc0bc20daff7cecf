import type Sqlite from 'better-sqlite3';
import { SqliteChangeCounter, type ChangeCounter } from './change-counter.ts';
import { singleProcess, type Cluster } from './cluster/cluster.ts';
import { GroupCommit } from './sqlite/group-commit.ts';
import { sqliteIdSource, type IdSource } from './id-source.ts';
import type { Database } from './port/database.ts';
import type { Engine } from './port/dialect.ts';
import { createReadThread, type ReadThread } from './sqlite/read-thread.ts';
import { sqliteDatabase } from './sqlite/sqlite-database.ts';
import type { SqliteConnection } from './sqlite/sqlite-file.ts';
import { retryBackgroundForMs, retryWrites, WriteLock, type WriteRetries } from './sqlite/write-lock.ts';

/** SQLite itself, for the stores of fetches, which only the window uses. */
export interface LocalDatabase {
  readonly connection: SqliteConnection;
  readonly groupCommit: GroupCommit;
}

/** Shared by the stores of one open database. */
export interface StoreContext {
  readonly engine: Engine;
  readonly database: Database;
  readonly local: LocalDatabase;
  readonly changes: ChangeCounter;
  readonly cluster: Cluster;
  readonly writeLock: WriteRetries;
  /** Free bytes in the files of the database, which new rows use before they grow. */
  readonly reusableBytes: () => Promise<number>;
  /** Ids for new rows of a table. */
  readonly idSource: (table: 'downloads') => Promise<IdSource>;
  /**
   * Wraps a store so that its writes are retried for as long as a request may wait for another
   * process's lock.
   */
  readonly retried: <Store extends object>(store: Store) => Store;
  /** Wraps a store so that its writes are retried for as long as background work may wait. */
  readonly background: <Store extends object>(store: Store) => Store;
}

/** The stores' side of a SQLite database. */
export function storeContext(
  connection: Sqlite.Database,
  readThread: ReadThread | null = connection.memory ? null : createReadThread(connection.name),
): StoreContext {
  const writeLock = new WriteLock(connection);
  const groupCommit = new GroupCommit(connection, writeLock);
  return {
    engine: 'sqlite',
    database: sqliteDatabase(connection, groupCommit, readThread),
    local: { connection, groupCommit },
    changes: new SqliteChangeCounter(connection),
    cluster: singleProcess,
    writeLock,
    reusableBytes: async () =>
      Number(connection.pragma('freelist_count', { simple: true })) *
      Number(connection.pragma('page_size', { simple: true })),
    idSource: async (table) => sqliteIdSource(connection, table),
    retried: (store) => retryWrites(writeLock, store),
    background: (store) => retryWrites(writeLock, store, retryBackgroundForMs),
  };
}
