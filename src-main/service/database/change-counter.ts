import type Database from 'better-sqlite3';

/**
 * Tells when cached facts about tokens, users, grants and measurements may be stale: a number that grows with each change,
 * made by this process (`bump`) or by another one (`PRAGMA data_version`, about a microsecond a call).
 */
export class ChangeCounter {
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

  /** Called in the very operation that revokes, blocks, grants or removes. */
  bump(): void {
    this.#own += 1;
  }

  current(): number {
    // Once in a turn of the event loop: the requests of one turn were all sent before it, and a small range would ask three times.
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
