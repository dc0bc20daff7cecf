import { leaseMs, maxClockMs, type ReplicaIdentity } from '../../cluster/cluster.ts';
import { lookTimeoutMs } from './access-changes.ts';
import type { LastingConnection } from './lasting-connection.ts';

const register = `INSERT INTO replicas (name, version, started_at, lease_until, seen, seen_at, serves)
  VALUES ($1, $2, milliseconds_now(), milliseconds_now() + ${leaseMs}, $3, milliseconds_now(), $4) RETURNING id`;
const remove = 'DELETE FROM replicas WHERE id = $1';
const release = "UPDATE leases SET until = 0 WHERE name = 'upkeep' AND replica_id = $1";
// A lease that ran out while nobody could renew one, as during a change of the primary, is renewed:
// it is lost when another replica has ended it.
// A leader leads for a lease, not for a connection: one that hangs keeps its connection. With a wrong
// clock it would remove what is not old.
const renew = `WITH renewed AS (
    UPDATE replicas SET lease_until = milliseconds_now() + ${leaseMs}, seen = $2, seen_at = milliseconds_now()
    WHERE id = $1 AND ended_at IS NULL RETURNING serves
  ), led AS (
    UPDATE leases SET replica_id = $1, until = milliseconds_now() + ${leaseMs}
    WHERE name = 'upkeep' AND (replica_id = $1 OR until < milliseconds_now()) AND EXISTS (SELECT 1 FROM renewed WHERE serves = 1)
      AND abs(CAST($3 AS bigint) - milliseconds_now()) <= ${maxClockMs} RETURNING 1
  )
  SELECT (SELECT count(*) FROM renewed) AS renewed, (SELECT count(*) FROM led) AS led,
    (SELECT count(*) FROM replicas WHERE lease_until > milliseconds_now() AND serves = 1) AS live, milliseconds_now() AS now`;

interface RenewedRow {
  readonly renewed: string;
  readonly led: string;
  readonly live: string;
  readonly now: string;
}

/** How a process is known to people. */
export interface ClusterProcess {
  readonly name: string;
  readonly version: string;
  /** False for a command, which only takes a lease for the jobs that it runs. */
  readonly serves: boolean;
}

/**
 * By how much this machine's clock is ahead for certain: the answer was made at some time between
 * request and receipt.
 *
 * @param tookMs by a clock that nobody sets.
 */
function aheadOf(databaseAt: number, sentAt: number, tookMs: number): number {
  const atLeast = sentAt - databaseAt;
  const atMost = atLeast + tookMs;
  if (atLeast > 0) return atLeast;
  return Math.min(0, atMost);
}

/** The row by which others know that this replica lives, and whether it does the upkeep for all. */
export class Lease {
  readonly #control: LastingConnection;
  readonly #process: ClusterProcess | null;
  readonly #onLost: (lost: ReplicaIdentity) => void;
  #identity: ReplicaIdentity | null = null;
  #live = 1;
  #leadsUntil = -Infinity;
  #clockAheadMs = 0;

  /** @param own null for a process that takes no lease. */
  constructor(control: LastingConnection, own: ClusterProcess | null, onLost: (lost: ReplicaIdentity) => void) {
    this.#control = control;
    this.#process = own;
    this.#onLost = onLost;
  }

  get identity(): ReplicaIdentity | null {
    return this.#identity;
  }

  get serves(): boolean {
    return this.#process?.serves ?? false;
  }

  get live(): number {
    return this.#live;
  }

  get leads(): boolean {
    return performance.now() < this.#leadsUntil;
  }

  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /** Renews the lease, or takes a new one. @param seen changes of access that were taken into account. */
  async renew(seen: string): Promise<void> {
    if (this.#identity === null) await this.#register(seen);
    const identity = this.#identity;
    if (identity === null) return;
    const began = performance.now();
    const sentAt = Date.now();
    const row = await this.#query<RenewedRow>('renew-lease', renew, [identity.id, seen, sentAt]);
    this.#clockAheadMs = aheadOf(Number(row?.now ?? sentAt), sentAt, performance.now() - began);
    this.#live = Math.max(1, Number(row?.live ?? 1));
    this.#leadsUntil = Number(row?.led ?? 0) > 0 ? began + leaseMs : -Infinity;
    if (Number(row?.renewed ?? 0) > 0) return;
    this.#identity = null;
    this.#onLost(identity);
    await this.#register(seen);
  }

  /** Says that this replica has ended, and leaves the upkeep to another one. */
  async end(): Promise<void> {
    const identity = this.#identity;
    if (identity === null) return;
    this.#identity = null;
    this.#leadsUntil = -Infinity;
    await this.#query('release-upkeep', release, [identity.id]);
    await this.#query('remove-replica', remove, [identity.id]);
  }

  async #register(seen: string): Promise<void> {
    if (this.#process === null) return;
    const { name, version, serves } = this.#process;
    const row = await this.#query<{ id: string }>('register-replica', register, [name, version, seen, serves ? 1 : 0]);
    if (row) this.#identity = { id: Number(row.id), name };
  }

  async #query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row | null> {
    const query = { name, text, values: [...values], query_timeout: lookTimeoutMs };
    return (await this.#control.query<Row>(query)).rows[0] ?? null;
  }
}
