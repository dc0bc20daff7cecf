import type { ClientBase, Pool, PoolClient } from 'pg';
import { setTimeout } from 'node:timers/promises';
import type { Reading, Transaction } from '../port/database.ts';
import { isConflict, isDuplicate, isEndedWhileIdle, isUnreachable, UnwrittenError } from './failures.ts';
import type { Perform } from './statements.ts';

// A conflict means that another transaction went through, so most succeed with the second attempt.
const maxAttempts = 12;
// A key that is still taken then is a true duplicate.
const maxDuplicates = 3;
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
      if (!isConflict(error) || attempt >= (isDuplicate(error) ? maxDuplicates : maxAttempts)) throw error;
      await setTimeout(Math.random() * Math.min(maxPauseMs, 2 ** attempt));
    }
  }
}

/** A connection of a pool. @throws UnwrittenError */
async function connected(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw isUnreachable(error) ? new UnwrittenError(error) : error;
  }
}

/** Runs work between BEGIN and COMMIT on a connection of its own. */
export async function inTransaction<Result>(
  pool: Pool,
  begin: string,
  work: (connection: PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await connected(pool);
  let broken: Error | undefined;
  let committing = false;
  // The pool listens only while nobody uses the connection, and an error without a listener ends the process.
  const lost = (error: Error): void => {
    broken ??= error;
  };
  connection.on('error', lost);
  try {
    await connection.query(begin);
    const result = await work(connection);
    committing = true;
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch((failure: unknown) => {
      broken ??= failure instanceof Error ? failure : new Error('the connection failed', { cause: failure });
    });
    const cause = broken ?? error;
    const isUnwritten = isEndedWhileIdle(cause) || (isUnreachable(cause) && !committing);
    throw isUnwritten ? new UnwrittenError(cause) : error;
  } finally {
    // A connection that cannot roll back is closed instead of being used again.
    connection.off('error', lost);
    connection.release(broken);
  }
}
