import type Sqlite from 'better-sqlite3';
import type { Deferred, GroupCommit } from './group-commit.ts';
import type { Database, Gathered, Reading, Step, Transaction } from '../port/database.ts';
import { textFor } from '../port/dialect.ts';
import type { QueryText } from '../port/query.ts';
import type { ReadThread } from './read-thread.ts';

/**
 * The port over one SQLite connection. Each query and each whole transaction runs at once, in the
 * turn of its call, so that no other request's query comes between those of a transaction.
 *
 * @param readThread null for a database in memory, which only its connection sees.
 */
export function sqliteDatabase(
  connection: Sqlite.Database,
  groupCommit: GroupCommit,
  readThread: ReadThread | null,
): Database {
  const statements = new WeakMap<QueryText, Sqlite.Statement>();

  function prepared(query: QueryText): Sqlite.Statement {
    const known = statements.get(query);
    if (known) return known;
    const statement = connection.prepare(textFor('sqlite', query.text));
    // SQLite's own word on what a query does: a write passed off as a read would escape the retries
    // of writes.
    if (statement.readonly === query.writes) throw new Error(`a query reads or writes unlike its type: ${query.text}`);
    if (query.firstColumn && statement.reader) statement.pluck();
    statements.set(query, statement);
    return statement;
  }

  function perform({ how, query, values }: Step): unknown {
    const statement = prepared(query);
    if (how === 'rows') {
      for (const row of values[0] as readonly object[]) statement.run(row);
      return null;
    }
    if (how === 'run') return statement.run(...values).changes;
    if (how === 'id') {
      const { changes, lastInsertRowid } = statement.run(...values);
      return changes > 0 ? Number(lastInsertRowid) : null;
    }
    return how === 'all' ? statement.all(...values) : (statement.get(...values) ?? null);
  }

  function drive<Result>(body: Transaction<Result> | Reading<Result>): Result {
    let next = body.next();
    while (next.done !== true) next = body.next(perform(next.value));
    return next.value;
  }

  // One object for each kind: group commit tells kinds apart by it.
  const deferred = new WeakMap<object, unknown>();
  function deferredOf<State>(gathered: Gathered<State>): Deferred<State> {
    const known = deferred.get(gathered) as Deferred<State> | undefined;
    if (known) return known;
    const made: Deferred<State> = { begin: () => gathered.begin(), end: (state) => drive(gathered.end(state)) };
    deferred.set(gathered, made);
    return made;
  }

  const alone = connection.transaction((work: () => unknown) => work());
  const runNow = <Result>(body: () => Transaction<Result>): Result => alone.immediate(() => drive(body())) as Result;
  return {
    one: async (query, ...values) => (prepared(query).get(...values) ?? null) as never,
    all: async (query, ...values) => prepared(query).all(...values) as never,
    allInBackground: async (query, ...values) =>
      (readThread === null
        ? prepared(query).all(...values)
        : readThread.all(textFor('sqlite', query.text), query.firstColumn, values)) as never,
    read: async (body) => drive(body()),
    run: async (query, ...values) => prepared(query).run(...values).changes,
    returning: async (query, ...values) => (prepared(query).get(...values) ?? null) as never,
    steps: { maxMs: 2, maxRows: Infinity },
    transaction: async (body) => runNow(body),
    relaxed: async (body) => {
      // Set back in the same turn, before any other commit.
      connection.exec('PRAGMA synchronous = NORMAL');
      try {
        return runNow(body);
      } finally {
        connection.exec('PRAGMA synchronous = FULL');
      }
    },
    syncRelaxed: async () => groupCommit.run(() => {}),
    alone: async (_table, body, effect) =>
      alone.immediate(() => {
        const result = drive(body());
        effect(result);
        return result;
      }) as never,
    grouped: async (body, weight) => groupCommit.run(() => drive(body()), null, weight),
    locking: async (body) => groupCommit.run(() => drive(body()), null),
    gathered: async (body, gathered, weight) =>
      groupCommit.run((state) => drive(body(state)), deferredOf(gathered), weight),
    batched: (body, weightOf) => async (item) =>
      (await groupCommit.run(() => drive(body([item])), null, weightOf?.(item)))[0] as never,
  };
}
