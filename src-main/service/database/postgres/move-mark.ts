import type { ClientBase } from 'pg';
import { StartError } from '../../common/start-error.ts';

/** Role of a database in a move of all state to another one (database/moving). */
export interface MoveMark {
  /** Equal on both sides. */
  readonly id: string;
  readonly role: 'source' | 'target';
  /** `done` when the target has everything and nothing may be written to the source any more. */
  readonly state: 'moving' | 'done';
  /** The other side, without a password. */
  readonly other: string;
  readonly at: number;
}

const create = `CREATE TABLE IF NOT EXISTS database_move (
  id text NOT NULL, role text NOT NULL, state text NOT NULL, other text NOT NULL, at bigint NOT NULL)`;

/** The mark that a move left in a PostgreSQL database; null without one. */
export async function readPostgresMark(connection: Pick<ClientBase, 'query'>): Promise<MoveMark | null> {
  const table = await connection.query<{ there: boolean | number }>(
    `SELECT to_regclass('database_move') IS NOT NULL AS there`,
  );
  if (!table.rows[0]?.there) return null;
  const { rows } = await connection.query<Omit<MoveMark, 'at'> & { readonly at: number | string }>(
    'SELECT id, role, state, other, at FROM database_move',
  );
  const [mark] = rows;
  return mark ? { ...mark, at: Number(mark.at) } : null;
}

/** Replaces the mark; null removes it. The connection must not be in a transaction. */
export async function writePostgresMark(connection: ClientBase, mark: MoveMark | null): Promise<void> {
  if (mark === null) {
    await connection.query('DROP TABLE IF EXISTS database_move');
    return;
  }
  await connection.query('BEGIN');
  try {
    await connection.query(create);
    await connection.query('DELETE FROM database_move');
    await connection.query('INSERT INTO database_move VALUES ($1, $2, $3, $4, $5)', [
      mark.id,
      mark.role,
      mark.state,
      mark.other,
      mark.at,
    ]);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  }
}

/**
 * Refuses a database in the middle of a move, and one whose data are elsewhere now.
 *
 * @param shown the database, without a password.
 * @throws StartError `data-unusable`
 */
export function refuseMarked(mark: MoveMark | null, shown: string): void {
  if (mark === null || (mark.role === 'target' && mark.state === 'done')) return;
  const [from, to] = mark.role === 'source' ? [shown, mark.other] : [mark.other, shown];
  throw new StartError(
    'data-unusable',
    mark.state === 'done'
      ? `The data of ${from} was moved to ${to}, which is used instead. To use the old data again, run "benchport database migrate-to --abandon" with the same target.`
      : `The data of ${from} is being moved to ${to}. Run "benchport database migrate-to" again to go on, or with --abandon to give up.`,
  );
}
