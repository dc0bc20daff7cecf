import { inNumbers, perEngine, type Engine } from '../../../src-main/service/database/port/dialect.ts';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresDatabase } from '../../../src-main/service/database/postgres/postgres-database.ts';
import { openPools } from '../../../src-main/service/database/postgres/pools.ts';
import { createTestDatabase, execute } from '../postgres/database.ts';
import type { Database } from '../../../src-main/service/database/port/database.ts';
import { read, readValue, write, writeValue } from '../../../src-main/service/database/port/query.ts';
import { all, one, run } from '../../../src-main/service/database/port/steps.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';

const insert = write<[number, string]>('INSERT INTO samples (id, name) VALUES (?, ?)');
const insertNamed = writeValue<{ id: number; name: string }, string>(
  'INSERT INTO samples (id, name) VALUES (@id, @name) ON CONFLICT DO NOTHING RETURNING name',
);
const byId = read<[number], { id: number; name: string }>('SELECT id, name FROM samples WHERE id = ?');
const ids = readValue<[], number>('SELECT id FROM samples ORDER BY id');
const names = readValue<[], string>('SELECT name FROM samples ORDER BY id');

interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

const engines: Readonly<Record<Engine, () => Promise<Opened>>> = {
  sqlite: async () => {
    const connection = new Sqlite(':memory:');
    connection.exec('CREATE TABLE samples (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT');
    return { database: storeContext(connection).database, close: async () => void connection.close() };
  },
  postgres: async () => {
    const made = await createTestDatabase();
    await execute(made.url, 'CREATE TABLE samples (id bigint PRIMARY KEY, name text NOT NULL)');
    const pools = await openPools({ url: made.url, size: 4, onIdleError: () => {} });
    return {
      database: postgresDatabase(pools),
      close: async () => {
        await pools.close();
        await made.remove();
      },
    };
  },
};

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let open: Opened;
  beforeEach(async () => {
    open = await engines[engine]();
  });
  afterEach(async () => open.close());
  const opened = (): Database => open.database;

  it('gives the first row or null, all rows, and the number of rows written', async () => {
    const database = opened();
    expect(await database.run(insert, 1, 'a')).toBe(1);
    expect(await database.returning(insertNamed, { id: 2, name: 'b' })).toBe('b');
    expect(await database.returning(insertNamed, { id: 2, name: 'c' })).toBeNull();
    expect(await database.one(byId, 1)).toEqual({ id: 1, name: 'a' });
    expect(await database.one(byId, 3)).toBeNull();
    expect(await database.all(names)).toEqual(['a', 'b']);
    expect(await database.allInBackground(names)).toEqual(['a', 'b']);
  });

  it('runs a transaction to its end before another one begins', async () => {
    const database = opened();
    const add = (id: number) =>
      database.transaction(function* () {
        yield* run(insert, id, `first of ${id}`);
        yield* run(insert, id + 1, `second of ${id}`);
        return yield* all(names);
      });
    const seen = await Promise.all([add(1), add(3)]);
    expect(seen.map((rows) => rows.length).toSorted((a, b) => a - b)).toEqual([2, 4]);
  });

  it.each(['transaction', 'grouped'] as const)('undoes everything when the body of %s throws', async (kind) => {
    const database = opened();
    const failing = database[kind](function* () {
      yield* run(insert, 1, 'a');
      yield* run(insert, 1, 'again');
    });
    await expect(failing).rejects.toThrow(/unique|UNIQUE/);
    expect(await database.all(names)).toEqual([]);
  });

  it('ends a body with the query that fails', async () => {
    const database = opened();
    let went = false;
    const failing = database.transaction(function* () {
      yield* run(insert, 1, 'a');
      try {
        yield* run(insert, 1, 'again');
      } catch {
        went = true;
      }
      yield* run(insert, 2, 'instead');
    });
    await expect(failing).rejects.toThrow(/unique|UNIQUE/);
    expect(went).toBe(false);
    expect(await database.all(names)).toEqual([]);
  });

  it('writes what a group gathered at the end of its commit', async () => {
    const database = opened();
    const total = {
      begin: () => ({ sum: 0 }),
      *end(state: { sum: number }) {
        yield* run(insert, 100 + state.sum, 'sum');
      },
    };
    const adding = [1, 2, 4].map(async (id) =>
      database.gathered(function* (state) {
        yield* run(insert, id, 'x');
        state.sum += id;
      }, total),
    );
    await Promise.all(adding);
    expect((await database.all(names)).filter((name) => name === 'x')).toHaveLength(3);
    const sums = (await database.all(ids)).filter((id) => id > 100).map((id) => id - 100);
    expect(sums.reduce((sum, value) => sum + value, 0)).toBe(7);
  });

  it('gives each piece of a batch its own result, and fails one alone', async () => {
    const database = opened();
    const add = database.batched<number, string>(function* (pieces) {
      for (const id of pieces) yield* run(insert, id, `n${id}`);
      return pieces.map((id) => `result ${id}`);
    });
    await database.run(insert, 3, 'taken');
    const done = await Promise.allSettled([1, 2, 3, 4, 5].map(add));
    expect(done.map((result) => (result.status === 'fulfilled' ? result.value : null))).toEqual([
      'result 1',
      'result 2',
      null,
      'result 4',
      'result 5',
    ]);
    expect(await database.all(ids)).toEqual([1, 2, 3, 4, 5]);
  });

  it('runs the words of its own engine', async () => {
    const database = opened();
    for (const id of [1, 2, 3]) await database.run(insert, id, `n${id}`);
    const nested = perEngine(`name <> '' AND ${inNumbers('id', '@ids')}`, `name <> 'x' AND ${inNumbers('id', '@ids')}`);
    const some = readValue<object, string>(`SELECT name FROM samples WHERE ${nested} ORDER BY id`);
    expect(await database.all(some, { ids: '[1,3]' })).toEqual(['n1', 'n3']);
  });

  it('reads several things without the right to write', async () => {
    const database = opened();
    await database.run(insert, 1, 'a');
    const found = await database.read(function* () {
      return [yield* one(byId, 1), yield* all(names)];
    });
    expect(found).toEqual([{ id: 1, name: 'a' }, ['a']]);
    // @ts-expect-error: a write in a body that only reads does not compile.
    const writes: Promise<number> = database.read(() => run(insert, 2, 'b'));
    // SQLite cannot tell; PostgreSQL refuses.
    if (engine === 'postgres') await expect(writes).rejects.toThrow('read-only transaction');
  });

  it('refuses a query that writes and is declared as one that reads, and the other way round', async () => {
    const database = opened();
    const mislabelled = read<[], { name: string }>(`INSERT INTO samples VALUES (9, 'x') RETURNING name`);
    await expect(database.one(mislabelled)).rejects.toThrow(/unlike its type|read-only transaction/);
    expect(await database.all(names)).toEqual([]);
  });
});
