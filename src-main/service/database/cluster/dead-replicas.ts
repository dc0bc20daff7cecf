import { perEngine } from '../port/dialect.ts';

/**
 * The condition that the replica of a row is not alive, or that the row names none; never true on
 * SQLite.
 *
 * @param column with its table, such as `jobs.replica_id`.
 */
export function isOfDeadReplica(column: string): string {
  return perEngine(
    'FALSE',
    `NOT EXISTS (SELECT 1 FROM replicas WHERE replicas.id = ${column} AND replicas.lease_until > milliseconds_now())`,
  );
}
