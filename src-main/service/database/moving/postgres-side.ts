import type { Client } from 'pg';
import { StartError } from '../../common/start-error.ts';
import { explainUnusable, withoutPassword } from '../postgres/explain-unusable.ts';
import { isTimeout } from '../postgres/failures.ts';
import { readPostgresMark, writePostgresMark } from '../postgres/move-mark.ts';
import { connectForMove, postgresPages } from './postgres-rows.ts';
import type { MoveSide } from './sides.ts';

// Any number that no other program locks in this database.
const moveLock = 7_420_002;

/** Two connections to a PostgreSQL database: one for rows, and one for marks, which are committed meanwhile. */
export interface PostgresSide {
  readonly rows: Client;
  readonly side: MoveSide;
}

/**
 * Connects to a PostgreSQL database for the only move of it at this time.
 *
 * @throws StartError
 */
export async function openPostgresSide(url: string): Promise<PostgresSide> {
  let rows: Client | null = null;
  try {
    rows = await connectForMove(url);
    await refuseSecondMove(rows, url);
    return { rows, side: sideOf(url, rows, await connectForMove(url)) };
  } catch (error) {
    await rows?.end();
    throw explainUnusable(error, url);
  }
}

function sideOf(url: string, rows: Client, marks: Client): MoveSide {
  return {
    shown: withoutPassword(url),
    readMark: async () => readPostgresMark(marks),
    writeMark: async (mark) => {
      await marks.query('SET synchronous_commit = on');
      await writePostgresMark(marks, mark);
    },
    pages: (table, after, shape) => postgresPages(rows, table, after, shape),
    close: async () => {
      await Promise.allSettled([rows.end(), marks.end()]);
    },
  };
}

/** Waits for the last statement of a move that was killed, which PostgreSQL brings to its end. */
async function refuseSecondMove(connection: Client, url: string): Promise<void> {
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [moveLock]);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new StartError('data-in-use', `Another "benchport database migrate-to" works on ${withoutPassword(url)}.`);
  }
}

/** @throws StartError `data-in-use` when a service uses the database. */
export async function refuseReplicas(connection: Client, url: string): Promise<void> {
  const table = await connection.query<{ there: boolean }>(`SELECT to_regclass('replicas') IS NOT NULL AS there`);
  if (!table.rows[0]?.there) return;
  const { rows } = await connection.query<{ name: string }>(
    'SELECT name FROM replicas WHERE lease_until > milliseconds_now() ORDER BY id',
  );
  if (rows.length > 0)
    throw new StartError(
      'data-in-use',
      `A service uses the database ${withoutPassword(url)} (${rows.map(({ name }) => name).join(', ')}). Stop it; one that was killed is waited for until its lease has ended, which takes some seconds.`,
    );
}
