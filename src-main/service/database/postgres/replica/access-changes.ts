import type { ChangeCounter } from '../../change-counter.ts';
import type { LastingConnection } from './lasting-connection.ts';

/** A look that takes longer failed: the server or the network hangs. */
export const lookTimeoutMs = 1000;
/** Without a look for this long, nothing that was cached is used. */
const staleMs = 1500;

// One statement, so that all parts are of one snapshot: transactions below its floor had ended, and
// need not be looked at again (PostgreSQL, "Transaction ID and Snapshot Information Functions").
const look = `SELECT CAST(pg_current_snapshot() AS text) AS snapshot, CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS floor,
  ARRAY(SELECT CAST(id AS text) FROM access_changes WHERE xid >= CAST(CAST($1 AS text) AS xid8)) AS ids`;

/** Counts changes of access by all replicas, as far as `look` has read them. */
export class AccessChanges implements ChangeCounter {
  readonly #control: LastingConnection;
  #own = 0;
  #floor = '0';
  /** Of transactions at or above the floor. */
  #seen: ReadonlySet<string> = new Set();
  #seenAt = -Infinity;
  #lookedAt = -Infinity;

  constructor(control: LastingConnection) {
    this.#control = control;
  }

  bump(): void {
    this.#own += 1;
  }

  current(): number {
    // Changes may have been missed: each answer differs from all before, and no cache holds.
    if (this.ageMs() > staleMs) this.#own += 1;
    return this.#own;
  }

  /** Milliseconds since the last look that was confirmed. */
  ageMs(): number {
    return performance.now() - this.#seenAt;
  }

  /**
   * Reads what changed. It counts when `confirm` says so.
   *
   * @returns the snapshot that is now taken into account.
   */
  async look(): Promise<string> {
    this.#lookedAt = performance.now();
    const { rows } = await this.#control.query<{ snapshot: string; floor: string; ids: readonly string[] }>({
      name: 'access-changes',
      text: look,
      values: [this.#floor],
      query_timeout: lookTimeoutMs,
    });
    const { snapshot = '', floor = this.#floor, ids = [] } = rows[0] ?? {};
    if (ids.some((id) => !this.#seen.has(id))) this.#own += 1;
    [this.#floor, this.#seen] = [floor, new Set(ids)];
    return snapshot;
  }

  /**
   * To be called when a write after the last look was committed: a primary that was cut off from its
   * standby still reads, but lacks what the new primary knows.
   */
  confirm(): void {
    this.#seenAt = this.#lookedAt;
  }
}
