import type { Pool } from 'pg';
import { setTimeout } from 'node:timers/promises';
import type { UnconfirmedReplica } from '../../cluster/cluster.ts';

const confirmWithinMs = 2000;
const pauseMs = 15;

const snapshot = 'SELECT CAST(pg_current_snapshot() AS text) AS snapshot';
// Visible to us, and not yet to a live replica when it last looked.
const behind = `SELECT name, seen_at FROM replicas WHERE lease_until > milliseconds_now() AND serves = 1 AND EXISTS (
    SELECT 1 FROM access_changes WHERE xid >= pg_snapshot_xmin(CAST(replicas.seen AS pg_snapshot))
      AND pg_visible_in_snapshot(xid, CAST(CAST($1 AS text) AS pg_snapshot))
      AND NOT pg_visible_in_snapshot(xid, CAST(replicas.seen AS pg_snapshot)))`;

/**
 * Waits until all live replicas have taken the changes of access into account that are committed
 * now.
 *
 * @returns those that had not after two seconds.
 */
export async function confirmChanges(reading: Pool): Promise<readonly UnconfirmedReplica[]> {
  const began = performance.now();
  const { rows } = await reading.query<{ snapshot: string }>({ name: 'own-snapshot', text: snapshot });
  for (;;) {
    const found = await reading.query<{ name: string; seen_at: number }>({
      name: 'replicas-behind',
      text: behind,
      values: [rows[0]?.snapshot],
    });
    const late = found.rows.map(({ name, seen_at }) => ({ name, seenAt: seen_at }));
    if (late.length === 0 || performance.now() - began > confirmWithinMs) return late;
    await setTimeout(pauseMs);
  }
}
