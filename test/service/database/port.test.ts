import { inNumbers, perEngine, textFor } from '../../../src-main/service/database/port/dialect.ts';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Database } from '../../../src-main/service/database/port/database.ts';
import { read, readValue, write, writeValue } from '../../../src-main/service/database/port/query.ts';
import { all, one, returning, run } from '../../../src-main/service/database/port/steps.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';

const insert = write<[number, string]>('INSERT INTO samples (id, name) VALUES (?, ?)');
const insertNamed = writeValue<{ id: number; name: string }, string>(
  'INSERT INTO samples (id, name) VALUES (@id, @name) ON CONFLICT DO NOTHING RETURNING name',
);
const byId = read<[number], { id: number; name: string }>('SELECT id, name FROM samples WHERE id = ?');
const names = readValue<[], string>('SELECT name FROM samples ORDER BY id');

function opened(): Database {
  const connection = new Sqlite(':memory:');
  connection.exec('CREATE TABLE samples (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT');
  return storeContext(connection).database;
}

it('gives the first row or null, all rows, and the number of rows written', async () => {
  const database = opened();
  expect(await database.run(insert, 1, 'a')).toBe(1);
  expect(await database.returning(insertNamed, { id: 2, name: 'b' })).toBe('b');
  expect(await database.returning(insertNamed, { id: 2, name: 'c' })).toBeNull();
  expect(await database.one(byId, 1)).toEqual({ id: 1, name: 'a' });
  expect(await database.one(byId, 3)).toBeNull();
  expect(await database.all(names)).toEqual(['a', 'b']);
});

it('runs a transaction to its end before another one begins', async () => {
  const database = opened();
  const seen: (readonly string[])[] = [];
  const add = (id: number) =>
    database.transaction(function* () {
      yield* run(insert, id, `first of ${id}`);
      yield* run(insert, id + 1, `second of ${id}`);
      seen.push(yield* all(names));
    });
  await Promise.all([add(1), add(3)]);
  expect(seen.map((rows) => rows.length)).toEqual([2, 4]);
});

it.each(['transaction', 'grouped'] as const)('undoes everything when the body of %s throws', async (kind) => {
  const database = opened();
  const failing = database[kind](function* () {
    yield* run(insert, 1, 'a');
    yield* run(insert, 1, 'again');
  });
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  expect(await database.all(names)).toEqual([]);
});

it.each(['transaction', 'grouped'] as const)('lets the body of %s handle a refused statement', async (kind) => {
  const database = opened();
  const kept = await database[kind](function* () {
    yield* run(insert, 1, 'a');
    try {
      yield* run(insert, 1, 'again');
    } catch {
      yield* run(insert, 2, 'instead');
    }
    return (yield* returning(insertNamed, { id: 3, name: 'c' })) ?? (yield* one(byId, 3))?.name;
  });
  expect(kept).toBe('c');
  expect(await database.all(names)).toEqual(['a', 'instead', 'c']);
});

it('writes what a group gathered at the end of its commit', async () => {
  const database = opened();
  const total = {
    begin: () => ({ sum: 0 }),
    *end(state: { sum: number }) {
      yield* run(insert, 100 + state.sum, 'sum');
    },
  };
  const adding = [1, 2, 3].map(async (id) =>
    database.gathered(function* (state) {
      yield* run(insert, id, 'x');
      state.sum += id;
    }, total),
  );
  await Promise.all(adding);
  expect(await database.all(names)).toEqual(['x', 'x', 'x', 'sum']);
  expect(await database.one(byId, 106)).toEqual({ id: 106, name: 'sum' });
});

it('runs the words of its own engine', async () => {
  const database = opened();
  for (const id of [1, 2, 3]) await database.run(insert, id, `n${id}`);
  const nested = perEngine(`name <> '' AND ${inNumbers('id', '@ids')}`, 'of another engine');
  const some = readValue<object, string>(`SELECT name FROM samples WHERE ${nested} ORDER BY id`);
  expect(await database.all(some, { ids: '[1,3]' })).toEqual(['n1', 'n3']);
  expect(textFor('postgres', some.text)).toBe('SELECT name FROM samples WHERE of another engine ORDER BY id');
});

it('reads several things without the right to write', async () => {
  const database = opened();
  await database.run(insert, 1, 'a');
  const found = await database.read(function* () {
    return [yield* one(byId, 1), yield* all(names)];
  });
  expect(found).toEqual([{ id: 1, name: 'a' }, ['a']]);
  // @ts-expect-error: a write in a body that only reads does not compile.
  await database.read(() => run(insert, 2, 'b'));
});

it('refuses a query that writes and is declared as one that reads, and the other way round', async () => {
  const database = opened();
  const mislabelled = read<[], { name: string }>(`INSERT INTO samples VALUES (9, 'x') RETURNING name`);
  await expect(database.one(mislabelled)).rejects.toThrow('unlike its type');
  await expect(database.run(write<[]>('SELECT 1'))).rejects.toThrow('unlike its type');
  expect(await database.all(names)).toEqual([]);
});
