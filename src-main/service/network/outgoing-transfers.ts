import type { Transfer } from '../measurements/transfers/transfer.ts';
import type { Transfers } from '../measurements/transfers/transfers.ts';

/**
 * Transfers to one receiver: a running one, or a group of short ones that finished within the last
 * second.
 */
export interface Outgoing {
  readonly id: number;
  readonly transfer: Transfer;
  readonly bytesSent: number;
  readonly bytesPerSecond: number;
  /** Number of short transfers in the group; null for a running one. */
  readonly short: number | null;
}

interface Sample {
  readonly at: number;
  readonly bytes: number;
  readonly rate: number;
}

const second = 1000;
// Shorter windows give meaningless rates.
const minWindowMs = 250;
// Short transfers are recorded only for this long after the last call of `list`.
const watchedForMs = 5000;

/**
 * Running transfers with their rates. Rates are computed on request, so that watching costs a
 * transfer nothing.
 */
export class OutgoingTransfers {
  readonly #transfers: Transfers;
  readonly #samples = new WeakMap<Transfer, Sample>();
  #recent: { readonly at: number; readonly transfers: readonly Transfer[] }[] = [];
  #watchedAt = 0;
  // Negative ids of the groups of short transfers, stable between calls of `list`.
  readonly #receivers = new Map<string, number>();

  constructor(transfers: Transfers) {
    this.#transfers = transfers;
    transfers.onShort = (finished) => this.#remember(finished);
  }

  /** Running transfers, longest first, followed by the groups of short ones. */
  list(): readonly Outgoing[] {
    const now = Date.now();
    if (now - this.#watchedAt > watchedForMs) this.#receivers.clear();
    this.#watchedAt = now;
    const running = [...this.#transfers.running].map((transfer) => ({
      id: transfer.id,
      transfer,
      bytesSent: transfer.bytesSent,
      bytesPerSecond: this.#rateOf(transfer, now),
      short: null,
    }));
    return [...running, ...this.#shortTransfers(now)];
  }

  /** @returns false when no such transfer is running. */
  end(id: number): boolean {
    const transfer = [...this.#transfers.running].find((one) => one.id === id);
    transfer?.cut('ended');
    return transfer !== undefined;
  }

  /** Ends a transfer by the id of its row. @returns false when no such transfer is running here. */
  endRow(rowId: number): boolean {
    const transfer = [...this.#transfers.running].find((one) => one.rowId === rowId);
    transfer?.cut('ended');
    return transfer !== undefined;
  }

  #remember(finished: readonly Transfer[]): void {
    const now = Date.now();
    const watched = now - this.#watchedAt <= watchedForMs;
    this.#recent = watched
      ? [...this.#recent.filter(({ at }) => now - at < second), { at: now, transfers: finished }]
      : [];
  }

  #rateOf(transfer: Transfer, now: number): number {
    const last = this.#samples.get(transfer) ?? { at: transfer.startedAt, bytes: 0, rate: 0 };
    const elapsed = now - last.at;
    // Several screens may poll at once: they share the latest measurement.
    if (elapsed < minWindowMs) return last.rate;
    const rate = Math.round(((transfer.bytesSent - last.bytes) / elapsed) * second);
    this.#samples.set(transfer, { at: now, bytes: transfer.bytesSent, rate });
    return rate;
  }

  #shortTransfers(now: number): readonly Outgoing[] {
    const groups = new Map<string, Transfer[]>();
    for (const transfer of this.#recent.filter(({ at }) => now - at < second).flatMap(({ transfers }) => transfers)) {
      const { address, measurementId, what } = transfer.start;
      const receiver = [transfer.credential, address, measurementId, what].join('\n');
      const group = groups.get(receiver);
      if (group) group.push(transfer);
      else groups.set(receiver, [transfer]);
    }
    return [...groups].flatMap(([receiver, transfers]) => {
      const [first] = transfers;
      const bytes = transfers.reduce((sum, transfer) => sum + transfer.bytesSent, 0);
      return first && bytes > 0
        ? [
            {
              id: this.#numberOf(receiver),
              transfer: first,
              bytesSent: bytes,
              bytesPerSecond: bytes,
              short: transfers.length,
            },
          ]
        : [];
    });
  }

  #numberOf(receiver: string): number {
    const number = this.#receivers.get(receiver) ?? -(this.#receivers.size + 1);
    this.#receivers.set(receiver, number);
    return number;
  }
}
