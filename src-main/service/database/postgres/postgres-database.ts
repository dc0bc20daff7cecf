import type { Database, Reading, Step, Transaction } from '../port/database.ts';
import { batched } from './batches.ts';
import type { Pools } from './pools.ts';
import { preparedStatements } from './statements.ts';
import { drive, inTransaction, retryingConflicts } from './transactions.ts';

const beginWriting = 'BEGIN ISOLATION LEVEL SERIALIZABLE';
const beginCommitted = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * The port over PostgreSQL. Transactions are serializable, so that a body that reads and judges
 * before it writes is as safe as on SQLite, where nothing comes in between; those that cannot be put
 * in an order are run again (PostgreSQL, "Serializable Isolation Level"). Bodies that judge nothing
 * or lock what they change or judge (`relaxed`, `batched`, `locking`) are spared that.
 */
export function postgresDatabase({ writing, reading }: Pools): Database {
  const perform = preparedStatements();

  const writeOne = async (step: Step): Promise<unknown> => retryingConflicts(async () => perform(writing, step));
  const beginning =
    (begin: string) =>
    async <Result>(body: () => Transaction<Result>): Promise<Result> =>
      retryingConflicts(async () =>
        inTransaction(writing, begin, async (connection) => drive(connection, perform, body())),
      );
  const transaction = beginning(beginWriting);
  const committed = beginning(beginCommitted);
  const allRows: Database['all'] = async (query, ...values) =>
    (await perform(reading, { how: 'all', query, values })) as never;
  return {
    steps: { maxMs: 40, maxRows: 4000 },
    one: async (query, ...values) => (await perform(reading, { how: 'one', query, values })) as never,
    all: allRows,
    allInBackground: allRows,
    read: async <Result>(body: () => Reading<Result>) =>
      inTransaction(reading, beginReading, async (connection) => drive(connection, perform, body())),
    run: async (query, ...values) => (await writeOne({ how: 'run', query, values })) as number,
    returning: async (query, ...values) => (await writeOne({ how: 'one', query, values })) as never,
    transaction,
    grouped: transaction,
    locking: committed,
    relaxed: beginning(`${beginCommitted}; SET LOCAL synchronous_commit = off`),
    syncRelaxed: async () => {
      // A commit with an identifier flushes the log up to it.
      await inTransaction(writing, beginWriting, async (connection) => connection.query('SELECT pg_current_xact_id()'));
    },
    alone: async (table, body, effect) =>
      retryingConflicts(async () =>
        inTransaction(writing, beginCommitted, async (connection) => {
          await connection.query(`LOCK TABLE ${connection.escapeIdentifier(table)} IN SHARE ROW EXCLUSIVE MODE`);
          const result = await drive(connection, perform, body());
          effect(result);
          return result;
        }),
      ),
    gathered: async (body, gathered) =>
      transaction(function* () {
        const state = gathered.begin();
        const result = yield* body(state);
        yield* gathered.end(state);
        return result;
      }),
    batched: (body, weightOf = () => 1) => batched(committed, body, weightOf),
  };
}
