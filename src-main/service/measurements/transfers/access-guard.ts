import type { Logger } from 'pino';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { Cluster } from '../../database/cluster/cluster.ts';
import { temporaryFailure } from '../../database/engines/database-failures.ts';
import type { MeasurementAccess } from '../access/access.ts';
import type { Transfer } from './transfer.ts';

export interface AccessGuardDeps {
  readonly access: MeasurementAccess;
  readonly changes: ChangeCounter;
  readonly cluster: Cluster;
  readonly log: Logger;
  /** Milliseconds for which transfers go on while the database does not answer. */
  readonly accessGraceMs: number;
}

// The database does not answer then, and each look at the counter says that something changed.
const staleMs = 1000;

/** Ends transfers whose access was revoked, or cannot be confirmed any longer. */
export class AccessGuard {
  readonly #deps: AccessGuardDeps;
  readonly #isReplica: boolean;
  readonly #checking = new Set<Transfer>();
  #changesSeen = -1;

  constructor(deps: AccessGuardDeps) {
    this.#deps = deps;
    this.#isReplica = deps.cluster.replica() !== null;
  }

  /** Ends a transfer of a process that was stopped or cut off for longer than the grace. */
  confirm(transfer: Transfer): void {
    if (this.#deps.cluster.accessAgeMs() > this.#deps.accessGraceMs) transfer.cut('unconfirmed');
  }

  /**
   * Checks all transfers soon after a change of access. One process alone does without: it looks at
   * each of them once a second, and changes by other processes are rare.
   */
  watch(running: ReadonlySet<Transfer>): void {
    if (!this.#isReplica) return;
    for (const transfer of running) this.confirm(transfer);
    if (this.#deps.cluster.accessAgeMs() > staleMs) return;
    const now = this.#deps.changes.current();
    if (now === this.#changesSeen) return;
    this.#changesSeen = now;
    for (const transfer of running) void this.check(transfer);
  }

  /** Looks up whether access still holds. */
  async check(transfer: Transfer): Promise<void> {
    // A database that hangs must not be asked again and again.
    if (this.#checking.has(transfer)) return;
    this.#checking.add(transfer);
    const began = performance.now();
    try {
      const { principal, measurementId } = transfer.start;
      if ((await principal.stillValid()) && (await this.#deps.access.mayStillRead(principal, measurementId)))
        transfer.confirmedAt = began;
      else transfer.cut('revoked');
    } catch (error) {
      this.#failed(transfer, error);
    } finally {
      this.#checking.delete(transfer);
    }
  }

  #failed(transfer: Transfer, error: unknown): void {
    const { accessGraceMs, log } = this.#deps;
    const isAway = this.#isReplica && temporaryFailure(error) !== null;
    if (isAway && performance.now() - transfer.confirmedAt < accessGraceMs) return;
    log.error({ err: error }, 'access of a running transfer could not be checked; it is ended');
    transfer.cut(isAway ? 'unconfirmed' : 'revoked');
  }
}
