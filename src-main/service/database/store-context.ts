import type Sqlite from 'better-sqlite3';
import { ChangeCounter } from './change-counter.ts';
import { sqliteIdSource, type IdSource } from './id-source.ts';
import { GroupCommit } from './group-commit.ts';
import type { Database } from './port/database.ts';
import { sqliteDatabase } from './sqlite-database.ts';
import { retryBackgroundForMs, retryWrites, WriteLock } from './write-lock.ts';

/** Shared by the stores of one open database. */
export interface StoreContext {
  /** The port, and the connection for stores that do not use it yet. */
  readonly database: Database;
  readonly connection: Sqlite.Database;
  readonly changes: ChangeCounter;
  readonly groupCommit: GroupCommit;
  readonly writeLock: WriteLock;
  /** Free bytes in the files of the database, which new rows use before they grow. */
  readonly reusableBytes: () => Promise<number>;
  /** Ids for new rows of a table. */
  readonly idSource: (table: 'downloads') => IdSource;
  /**
   * Wraps a store so that its writes are retried for as long as a request may wait for another
   * process's lock.
   */
  readonly retried: <Store extends object>(store: Store) => Store;
  /** Wraps a store so that its writes are retried for as long as background work may wait. */
  readonly background: <Store extends object>(store: Store) => Store;
}

export function storeContext(connection: Sqlite.Database): StoreContext {
  const writeLock = new WriteLock(connection);
  const groupCommit = new GroupCommit(connection, writeLock);
  return {
    database: sqliteDatabase(connection, groupCommit),
    connection,
    changes: new ChangeCounter(connection),
    groupCommit,
    writeLock,
    reusableBytes: async () =>
      Number(connection.pragma('freelist_count', { simple: true })) *
      Number(connection.pragma('page_size', { simple: true })),
    idSource: (table) => sqliteIdSource(connection, table),
    retried: (store) => retryWrites(writeLock, store),
    background: (store) => retryWrites(writeLock, store, retryBackgroundForMs),
  };
}
