import Database from 'better-sqlite3';

export interface SortKey {
  readonly key: string;
  readonly id: number;
}

/**
 * Sorts by key (its UTF-8 bytes) and id in a temporary file, so that the keys may exceed memory; it
 * disappears with the process.
 */
export class DiskSorter {
  readonly #connection = new Database('');
  readonly #add: Database.Statement<[string, number]>;
  readonly #addAll: Database.Transaction<(keys: readonly SortKey[]) => void>;
  readonly #after: Database.Statement<[SortKey & { readonly limit: number }], SortKey>;

  constructor() {
    this.#connection.exec(
      'CREATE TABLE keys (key TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) STRICT, WITHOUT ROWID',
    );
    this.#add = this.#connection.prepare('INSERT INTO keys (key, id) VALUES (?, ?)');
    this.#addAll = this.#connection.transaction((keys) => {
      for (const { key, id } of keys) this.#add.run(key, id);
    });
    this.#after = this.#connection.prepare(
      'SELECT key, id FROM keys WHERE (key, id) > (@key, @id) ORDER BY key, id LIMIT @limit',
    );
  }

  add(keys: readonly SortKey[]): void {
    this.#addAll(keys);
  }

  /** The next keys in order; the first ones for null. */
  after(last: SortKey | null, limit: number): readonly SortKey[] {
    return this.#after.all({ ...(last ?? { key: '', id: -1 }), limit });
  }

  close(): void {
    this.#connection.close();
  }
}
