import type Database from 'better-sqlite3';
import { ChangeCounter } from './change-counter.ts';
import { GroupCommit } from './group-commit.ts';
import { retryBackgroundForMs, retryWrites, WriteLock } from './write-lock.ts';

/** Shared by the stores of one open database. */
export interface StoreContext {
  readonly database: Database.Database;
  readonly changes: ChangeCounter;
  readonly groupCommit: GroupCommit;
  readonly writeLock: WriteLock;
  /**
   * Wraps a store so that its writes are retried for as long as a request may wait for another
   * process's lock.
   */
  readonly retried: <Store extends object>(store: Store) => Store;
  /** Wraps a store so that its writes are retried for as long as background work may wait. */
  readonly background: <Store extends object>(store: Store) => Store;
}

export function storeContext(database: Database.Database): StoreContext {
  const writeLock = new WriteLock(database);
  return {
    database,
    changes: new ChangeCounter(database),
    groupCommit: new GroupCommit(database, writeLock),
    writeLock,
    retried: (store) => retryWrites(writeLock, store),
    background: (store) => retryWrites(writeLock, store, retryBackgroundForMs),
  };
}
