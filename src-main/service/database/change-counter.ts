import type Database from 'better-sqlite3';

/**
 * A number that grows when cached facts about tokens, users, grants and measurements may be stale,
 * through a change by this process or by another one.
 */
export interface ChangeCounter {
  /** To be called in the very operation that revokes, blocks, grants or removes. */
  bump(): void;
  current(): number;
}

/** Sees changes by other processes in `PRAGMA data_version`, about a microsecond a call. */
export class SqliteChangeCounter implements ChangeCounter {
  #own = 0;
  #foreign = 0;
  #seen: number;
  #looked = false;
  readonly #version: Database.Statement<[], number>;

  constructor(database: Database.Database) {
    this.#version = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#seen = this.#version.get() ?? 0;
  }

  readonly #lookAgain = (): void => {
    this.#looked = false;
  };

  bump(): void {
    this.#own += 1;
  }

  current(): number {
    // Read once in a turn of the event loop: all requests of a turn were sent before it, and a
    // small range would read it three times.
    if (this.#looked) return this.#own + this.#foreign;
    this.#looked = true;
    setImmediate(this.#lookAgain);
    const version = this.#version.get() ?? 0;
    if (version !== this.#seen) {
      this.#seen = version;
      this.#foreign += 1;
    }
    return this.#own + this.#foreign;
  }
}
