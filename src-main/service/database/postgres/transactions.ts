import type { ClientBase, Pool, PoolClient } from 'pg';
import { setTimeout } from 'node:timers/promises';
import type { Reading, Transaction } from '../port/database.ts';
import { isConflict } from './failures.ts';
import type { Perform } from './statements.ts';

// A conflict means that another transaction went through, so most succeed with the second attempt.
const maxAttempts = 12;
const maxPauseMs = 200;

/** Runs a body on a connection to its end. A query that fails ends it. */
export async function drive<Result>(
  on: ClientBase,
  perform: Perform,
  body: Transaction<Result> | Reading<Result>,
): Promise<Result> {
  let next = body.next();
  while (next.done !== true) next = body.next(await perform(on, next.value));
  return next.value;
}

/** Repeats work that came into conflict with other transactions, after growing random pauses. */
export async function retryingConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error;
      await setTimeout(Math.random() * Math.min(maxPauseMs, 2 ** attempt));
    }
  }
}

/** Runs work between BEGIN and COMMIT on a connection of its own. */
export async function inTransaction<Result>(
  pool: Pool,
  begin: string,
  work: (connection: PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    await connection.query(begin);
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error('the connection failed', { cause: failure });
    });
    throw error;
  } finally {
    // A connection that cannot roll back is closed instead of being used again.
    connection.release(broken);
  }
}
