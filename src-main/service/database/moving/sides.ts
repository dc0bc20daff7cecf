import type { MoveMark } from '../postgres/move-mark.ts';
import type { MovedTable } from './moved-tables.ts';
import type { Row, RowShape } from './rows.ts';

/** One side of a move. */
export interface MoveSide {
  /** As messages show it, without a password. */
  readonly shown: string;
  readMark(): Promise<MoveMark | null>;
  /** The mark is on disk when this resolves. */
  writeMark(mark: MoveMark | null): Promise<void>;
  /**
   * The rows of a table in the order of its key, in pages of `rows.ts`.
   *
   * @param after the key of the row before the first one; null: from the beginning.
   */
  pages(table: MovedTable, after: Row | null, shape?: RowShape): AsyncGenerator<readonly Row[]>;
  close(): Promise<void>;
}

export interface MoveSource extends MoveSide {
  /**
   * Keeps everybody from writing until it is closed.
   *
   * @throws StartError when a service uses it.
   */
  hold(): Promise<void>;
  /** Bytes on disk, about. */
  bytes(): Promise<number>;
  /** The greatest number that was ever an id, also of a row that is gone. */
  highestId(table: string): Promise<number>;
  /** Number of rows of a table that may not move. */
  count(table: string): Promise<number>;
}

export interface MoveTarget extends MoveSide {
  /** Whether another engine's limits hold there; see examine.ts. */
  readonly engine: 'sqlite' | 'postgres';
  /** Whether all is in place, and only the marks are not. */
  isInPlace(): Promise<boolean>;
  /** Why it cannot take the data; null when it can. Changes nothing. */
  refusal(): Promise<string | null>;
  /** Creates the tables if they are not there. */
  prepare(): Promise<void>;
  /** The key of the last row; null for an empty table. */
  lastKey(table: MovedTable): Promise<Row | null>;
  /** All of the rows, or none. */
  insert(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** Makes what follows from the rows: indexes, tables kept by triggers, numbers of the next rows. */
  finish(highestIds: ReadonlyMap<string, number>): Promise<void>;
  /** Puts everything where a service finds it, on disk. The mark still keeps services away. */
  putInPlace(): Promise<void>;
  /** Adds a setting to complete data, unless it is there. */
  addSetting(key: string, value: string): Promise<void>;
  /** Removes all that a move brought. */
  clear(): Promise<void>;
}
