import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { TransfersStore } from '../../transfers/transfers-store.ts';
import type { TransferOutcome } from '../../transfers/transfer-rows.ts';
import type { Events } from '../../common/events.ts';
import type { Principal } from '../../http/principal.ts';
import { AccessGuard, type AccessGuardDeps } from './access-guard.ts';
import { SendBuffers } from './buffer-pool.ts';
import { QueuedResponses } from './queued-responses.ts';
import { Transfer, type TransferStart } from './transfer.ts';
import { TransferSlots, type SlotLimits } from './transfer-slots.ts';
import { TransferRecords } from './transfer-records.ts';

export interface TransferLimits extends SlotLimits {
  /**
   * A client that reads nothing for this long is disconnected; the total duration is not limited.
   */
  readonly stallMs: number;
}

export const defaultTransferLimits: TransferLimits = { perUser: 125, total: 1000, stallMs: 60_000 };

const flushEveryMs = 250;
// A client that reads receives a short body within a round trip.
const shortForMs = 3000;

export interface TransfersDeps extends AccessGuardDeps {
  readonly store: TransfersStore;
  readonly events: Events;
  readonly log: Logger;
  readonly limits: TransferLimits;
}

/**
 * All running transfers: limits, the access check once a second, the audit rows, and the rates for
 * the status bar.
 */
export class Transfers {
  readonly #deps: TransfersDeps;
  readonly #running = new Set<Transfer>();
  readonly #queued = new QueuedResponses();
  readonly #places: TransferSlots;
  /**
   * Slots for manifests and short bodies, apart so that these are answered while a user's long
   * downloads take all other slots.
   */
  readonly #shortPlaces: TransferSlots;
  readonly #records: TransferRecords;
  readonly #guard: AccessGuard;
  readonly #endOfLosses: () => void;
  #stopping = false;
  #sentThisSecond = 0;
  #busyThisSecond = 0;
  #writtenThisSecond = false;
  #reported = false;
  #writing: Promise<void> | null = null;
  #idle: (() => void) | null = null;
  #lastId = 0;
  /** Called with batches of transfers that ended before they were first written. */
  onShort: ((transfers: readonly Transfer[]) => void) | null = null;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(deps: TransfersDeps) {
    this.#deps = deps;
    this.#records = new TransferRecords({ ...deps, onShort: (over) => this.onShort?.(over) });
    this.#guard = new AccessGuard(deps);
    this.#endOfLosses = deps.cluster.onLeaseLost(() => {
      for (const transfer of this.#running) transfer.cut('unconfirmed');
      this.#records.forgetDownloads();
    });
    this.#places = new TransferSlots(deps.limits);
    this.#shortPlaces = new TransferSlots(deps.limits);
    this.#timers = [
      setInterval(() => {
        this.#guard.watch(this.#running);
        void this.flush();
      }, flushEveryMs).unref(),
      setInterval(() => {
        this.#report();
        for (const transfer of this.#running) {
          const age = Date.now() - transfer.startedAt;
          if (age > shortForMs && transfer.places === this.#shortPlaces) this.#countAsLong(transfer);
          if (age <= 500) continue;
          this.#endWhenStalled(transfer);
          void this.#guard.check(transfer);
        }
      }, 1000).unref(),
    ];
  }

  get count(): number {
    return this.#running.size;
  }

  get running(): ReadonlySet<Transfer> {
    return this.#running;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** @throws HttpProblem 429 or 503 with Retry-After when too many run. */
  begin(start: TransferStart, response: ServerResponse): Transfer {
    this.#records.refuseUnrecorded(start.principal);
    const places = start.what === 'manifest' || start.length <= SendBuffers.small ? this.#shortPlaces : this.#places;
    places.acquire(start.principal);
    const transfer = new Transfer(++this.#lastId, start, response, credentialOf(start.principal));
    transfer.places = places;
    this.#running.add(transfer);
    // A pipelined response that waits for its turn has no socket yet.
    if (response.socket === null) this.#queued.add(response);
    this.#busyThisSecond = Math.max(this.#busyThisSecond, this.#running.size);
    return transfer;
  }

  /** Ends a transfer if its access can no longer be confirmed; called before bytes are sent. */
  confirm(transfer: Transfer): void {
    this.#guard.confirm(transfer);
  }

  sent(transfer: Transfer, bytes: number): void {
    transfer.bytesSent += bytes;
    this.#sentThisSecond += bytes;
  }

  /** @param outcome as seen by the sender; the reason of `cut` takes precedence. */
  end(transfer: Transfer, outcome: TransferOutcome): void {
    if (transfer.stage === 'over') return;
    this.#queued.delete(transfer.response);
    transfer.over(outcome, this.#stopping);
    this.#running.delete(transfer);
    transfer.places?.release(transfer.start.principal);
    this.#records.add(transfer);
    if (this.#running.size === 0) this.#idle?.();
  }

  /** Records a download that was refused because of the state of its file. */
  refused(start: TransferStart, outcome: TransferOutcome): void {
    this.#records.refuseUnrecorded(start.principal);
    const transfer = new Transfer(++this.#lastId, start, null, credentialOf(start.principal));
    transfer.over(outcome, this.#stopping);
    this.#records.add(transfer);
  }

  /** Closes the connections of the transfers that `which` selects. */
  cut(which: (response: ServerResponse) => boolean, reason: TransferOutcome): void {
    for (const transfer of this.#running) if (which(transfer.response)) transfer.cut(reason);
  }

  /** From now on, closed connections are attributed to the stop of the service. */
  announceStop(): void {
    this.#stopping = true;
  }

  /** Waits until the last transfer has released its files, then writes the last rows. */
  async stop(): Promise<void> {
    this.#endOfLosses();
    for (const timer of this.#timers) clearInterval(timer);
    for (const transfer of this.#running) transfer.cut('stopped');
    if (this.#running.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.flush();
    await this.flush();
  }

  /** Writes the pending rows, see `TransferRecords.write`. */
  async flush(): Promise<void> {
    this.#writing ??= this.#records
      .write(this.#running)
      .then((any) => {
        this.#writtenThisSecond ||= any;
      })
      .finally(() => {
        this.#writing = null;
      });
    await this.#writing;
  }

  /**
   * Moves a short body that its client does not read to the slots of long ones, or closes its
   * connection where none is free.
   */
  #countAsLong(transfer: Transfer): void {
    const { principal } = transfer.start;
    try {
      this.#places.acquire(principal);
    } catch {
      transfer.cut('stalled');
      return;
    }
    transfer.places?.release(principal);
    transfer.places = this.#places;
  }

  // Checks once a second whether the client has stopped reading.
  #endWhenStalled(transfer: Transfer): void {
    const { stallMs } = this.#deps.limits;
    if (transfer.sentBefore === null) transfer.response.setTimeout(stallMs, () => transfer.cut('stalled'));
    // Node's timeout only sees bytes that were written through Node.
    else if (transfer.sentBefore !== transfer.bytesSent) transfer.response.setTimeout(stallMs);
    transfer.sentBefore = transfer.bytesSent;
  }

  #report(): void {
    // Zero is sent once after the last transfer, so that displays drop to it.
    if (this.#sentThisSecond > 0 || this.#reported) {
      this.#deps.events.emit('rates', {
        up_bytes_per_second: this.#sentThisSecond,
        up_clients: Math.max(this.#running.size, this.#busyThisSecond),
      });
    }
    this.#reported = this.#sentThisSecond > 0;
    this.#sentThisSecond = 0;
    this.#busyThisSecond = this.#running.size;
    if (this.#writtenThisSecond) this.#deps.events.emit('changed', { topic: 'transfers' });
    this.#writtenThisSecond = false;
  }
}

/**
 * Identifies the credential of a transfer. Tokens of one OAuth grant count as one, because they
 * change with each refresh.
 */
function credentialOf(principal: Principal): string {
  if (principal.tokenId !== null) return `token ${principal.tokenId}`;
  return principal.oauth ? `grant ${principal.oauth.grantId}` : `user ${principal.userId}`;
}
