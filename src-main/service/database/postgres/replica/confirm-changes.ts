import type { Pool } from 'pg';
import { setTimeout } from 'node:timers/promises';
import type { UnconfirmedReplica } from '../../cluster/cluster.ts';

const confirmWithinMs = 2000;
const pauseMs = 15;

const snapshot = 'SELECT CAST(pg_current_snapshot() AS text) AS snapshot';
// Visible to us, and not yet to a live replica when it last looked.
const behind = `SELECT name, seen_at, lease_until > milliseconds_now() AS lives FROM replicas
  WHERE serves = 1 AND (lease_until > milliseconds_now() OR seen_at > milliseconds_now() - CAST($2 AS bigint)) AND EXISTS (
    SELECT 1 FROM access_changes WHERE xid >= pg_snapshot_xmin(CAST(replicas.seen AS pg_snapshot))
      AND pg_visible_in_snapshot(xid, CAST(CAST($1 AS text) AS pg_snapshot))
      AND NOT pg_visible_in_snapshot(xid, CAST(replicas.seen AS pg_snapshot)))`;

interface BehindRow {
  readonly name: string;
  readonly seen_at: number;
  readonly lives: boolean;
}

/**
 * Waits until all live replicas have taken the changes of access into account that are committed
 * now.
 *
 * @param graceMs for which a replica without the database goes on with running transfers.
 * @returns those that had not after two seconds, and dead ones within their grace.
 */
export async function confirmChanges(reading: Pool, graceMs: number): Promise<readonly UnconfirmedReplica[]> {
  const began = performance.now();
  const { rows } = await reading.query<{ snapshot: string }>({ name: 'own-snapshot', text: snapshot });
  for (;;) {
    const found = await reading.query<BehindRow>({
      name: 'replicas-behind',
      text: behind,
      values: [rows[0]?.snapshot, graceMs],
    });
    if (!found.rows.some(({ lives }) => lives) || performance.now() - began > confirmWithinMs)
      return found.rows.map(({ name, seen_at }) => ({ name, seenAt: seen_at }));
    await setTimeout(pauseMs);
  }
}
