import type { NewTransferRow, RepeatedTransfer } from '../../transfers/transfer-rows.ts';
import { filesPrefix, type Transfer } from './transfer.ts';

const minuteMs = 60_000;
/**
 * Above this many, rows that were already written are forgotten; a later transfer of the same kind
 * begins a new row.
 */
const maxKept = 256;

/** Transfers of one kind within a minute, stored as one row. */
export class SmallTransfer {
  readonly minute: number;
  rowId: number | null = null;
  #row: NewTransferRow;
  #added = { requests: 0, bytesSent: 0 };

  constructor(minute: number, row: NewTransferRow) {
    this.minute = minute;
    this.#row = { ...row, requests: 0, bytesSent: 0 };
  }

  get row(): NewTransferRow {
    return this.#row;
  }

  add(transfer: Transfer): void {
    const { range } = transfer.start;
    const row = this.#row;
    this.#row = {
      ...row,
      endedAt: Math.max(row.endedAt ?? 0, transfer.endedAt ?? 0),
      requests: row.requests + 1,
      bytesSent: row.bytesSent + transfer.bytesSent,
      range: commonRange(row.range, range),
    };
    this.#added = { requests: this.#added.requests + 1, bytesSent: this.#added.bytesSent + transfer.bytesSent };
  }

  /** Returns the update for the stored row. */
  repeated(id: number): RepeatedTransfer {
    const { endedAt, requests, bytesSent, range, what, outcome } = this.#row;
    return { id, endedAt, requests, bytesSent, range, what, outcome, added: this.#added };
  }

  written(id: number): void {
    this.rowId = id;
    this.#added = { requests: 0, bytesSent: 0 };
  }
}

/**
 * Groups the short transfers of a download, which would cost more to record one by one than to
 * send.
 */
export class SmallTransfers {
  readonly #kept = new Map<string, SmallTransfer>();

  /**
   * Adds a transfer that has ended.
   *
   * @param each Whether each file, and each selection of files, has its own row.
   */
  add(transfer: Transfer, each: boolean): SmallTransfer {
    const { what, fileIndex, selection, status } = transfer.start;
    const now = Math.floor((transfer.endedAt ?? 0) / minuteMs);
    const file = each ? fileIndex : null;
    const part = selection && (each ? selection.digest : 'some');
    const key = `${part ?? file ?? ''} ${what} ${status} ${transfer.outcome}`;
    let small = this.#kept.get(key);
    if (small?.minute !== now) {
      if (this.#kept.size >= maxKept) this.#forgetWritten();
      small = new SmallTransfer(now, { ...transfer.row(), fileIndex: file });
      this.#kept.set(key, small);
    }
    small.add(transfer);
    return small;
  }

  /** Forgets written rows of earlier minutes. */
  forgetBefore(time: number): void {
    const now = Math.floor(time / minuteMs);
    for (const [key, small] of this.#kept) if (small.minute !== now && small.rowId !== null) this.#kept.delete(key);
  }

  #forgetWritten(): void {
    for (const [key, small] of this.#kept) if (small.rowId !== null) this.#kept.delete(key);
  }
}

/** The range in a row of two transfers: the files of an archive stand before the Range header. */
function commonRange(one: string | null, other: string | null): string | null {
  if (one === other) return one;
  const [files, others] = [filesOf(one), filesOf(other)];
  if (files === null || others === null) return null;
  return files === others ? files : `${filesPrefix}...`;
}

function filesOf(range: string | null): string | null {
  return range?.startsWith(filesPrefix) === true ? (range.split(' ', 1)[0] ?? null) : null;
}
