import type { Logger } from 'pino';
import type { TransfersStore } from '../../transfers/transfers-store.ts';
import type { NewTransferRow, TransferBatch, WrittenTransfers } from '../../transfers/transfer-rows.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import { SendBuffers } from './buffer-pool.ts';
import type { DownloadGroup } from './download-group.ts';
import { DownloadGroups } from './download-groups.ts';
import { HourlyBudget } from './hourly-budget.ts';
import type { SmallTransfer } from './small-transfers.ts';
import type { Transfer } from './transfer.ts';

const rowsPerBatch = 1000;
// At this many unwritten rows the audit trail has failed for long, and unrecorded transfers are not
// allowed.
const maxUnwritten = 50_000;
// A row with its transfer takes about half a kilobyte, a range of a selection about fifty bytes.
const rangesPerRow = 10;
const progressEveryMs = 5000;
const sweepEveryMs = 60_000;
/**
 * Rows per user and hour, about 15 MB; above it, short transfers share a row per measurement and
 * minute.
 */
const rowsEach = 100_000;
/**
 * Above this, requests are refused; only a client that switches between thousands of measurements
 * and tokens gets here.
 */
const maxRows = 200_000;

export interface TransferRecordsDeps {
  readonly store: TransfersStore;
  readonly log: Logger;
  /** Called with batches of transfers that ended before they were first written. */
  readonly onShort: (transfers: readonly Transfer[]) => void;
}

/** The content of a batch, with the objects to update once it is written. */
interface Plan {
  readonly over: readonly Transfer[];
  readonly running: readonly Transfer[];
  readonly absorbed: readonly Transfer[];
  readonly fresh: readonly SmallTransfer[];
  readonly again: readonly SmallTransfer[];
  readonly batch: TransferBatch;
}

/**
 * Writes the rows of transfers and of the downloads they belong to, in batches outside the request
 * path.
 */
export class TransferRecords {
  readonly #deps: TransferRecordsDeps;
  readonly #groups: DownloadGroups;
  readonly #rows = new HourlyBudget();
  #ended: Transfer[] = [];
  #endedWeight = 0;
  #failing = false;
  #progressAt = Date.now();
  #sweptAt = performance.now();

  constructor(deps: TransferRecordsDeps) {
    this.#deps = deps;
    this.#groups = new DownloadGroups({ newId: () => deps.store.newDownloadId(), now: Date.now });
  }

  /** @throws HttpProblem 429 or 503 when a transfer could not be recorded. */
  refuseUnrecorded(principal: Principal): void {
    if (this.#endedWeight >= maxUnwritten) {
      throw new HttpProblem(
        503,
        'The audit trail cannot be written, so nothing is sent. Check the disk of the data directory.',
        { type: 'audit-unavailable' },
      );
    }
    if (this.#rows.used(principal.userId) > maxRows) {
      throw new HttpProblem(
        429,
        'This user has started more downloads than can be recorded in an hour. Try again later.',
        {
          headers: { 'retry-after': '600' },
        },
      );
    }
  }

  /** Later transfers begin other downloads: others have ended the rows of these. */
  forgetDownloads(): void {
    this.#groups.clear();
  }

  add(ended: Transfer): void {
    this.#ended.push(ended);
    this.#endedWeight += weightOf(ended);
  }

  /**
   * Writes the pending rows: complete ones for ended transfers, a first one for running transfers,
   * so that they leave a trace even if the process is killed.
   *
   * @returns whether anything was written.
   */
  async write(running: ReadonlySet<Transfer>): Promise<boolean> {
    const progressDue = Date.now() - this.#progressAt > progressEveryMs;
    if (progressDue) this.#progressAt = Date.now();
    const started = [...running].filter(
      (transfer) => progressDue || (transfer.rowId === null && !this.#hasMany(transfer)),
    );
    const ended = this.#ended;
    this.#ended = [];
    this.#endedWeight = 0;
    const waiting = [...ended, ...started];
    const any = waiting.length > 0;
    while (waiting.length > 0) {
      const plan = this.#plan(waiting.slice(0, rowsPerBatch));
      try {
        this.#written(plan, await this.#deps.store.write(plan.batch));
      } catch (error) {
        // Logged once, not on each retry: a full disk would otherwise flood the log.
        if (!this.#failing) this.#deps.log.error({ err: error }, 'audit rows of transfers not written; trying again');
        this.#failing = true;
        this.#ended = [...new Set([...waiting.filter((transfer) => transfer.outcome !== null), ...this.#ended])];
        this.#endedWeight = this.#ended.reduce((sum, transfer) => sum + weightOf(transfer), 0);
        return false;
      }
      waiting.splice(0, rowsPerBatch);
      if (waiting.length > 0) await new Promise(setImmediate);
    }
    this.#sweep();
    return any;
  }

  #sweep(): void {
    if (performance.now() - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = performance.now();
    this.#groups.sweep();
  }

  /** Rows are a snapshot: a transfer that ends during the write is written again with its end. */
  #plan(transfers: readonly Transfer[]): Plan {
    const groups = new Set<DownloadGroup>();
    const smalls = new Set<SmallTransfer>();
    const own: Transfer[] = [];
    const absorbed: Transfer[] = [];
    for (const transfer of transfers) {
      const group = (transfer.group ??= this.#groups.of(transfer));
      group.note(transfer);
      groups.add(group);
      const each = !this.#hasMany(transfer);
      if (transfer.rowId !== null || transfer.outcome === null || (each && !isSmall(transfer))) own.push(transfer);
      else {
        transfer.small ??= group.small.add(transfer, each);
        smalls.add(transfer.small);
        absorbed.push(transfer);
      }
    }
    const over = own.filter((transfer) => transfer.rowId === null && transfer.endedAt !== null);
    const running = own.filter((transfer) => transfer.rowId === null && transfer.endedAt === null);
    const fresh = [...smalls].filter((small) => small.rowId === null);
    const again = [...smalls].filter((small) => small.rowId !== null);
    const batch: TransferBatch = {
      ended: [...over.map((transfer) => transfer.row()), ...fresh.map((small) => small.row)],
      started: running.map((transfer) => transfer.row()),
      progress: own.flatMap((transfer) => (transfer.rowId === null ? [] : [transfer.progress(transfer.rowId)])),
      repeated: again.map((small) => small.repeated(small.rowId ?? 0)),
      downloads: [...groups].flatMap((group) => (group.id === null ? [] : [group.row(group.id)])),
    };
    return { over, running, absorbed, fresh, again, batch };
  }

  #written({ over, running, absorbed, fresh, again, batch }: Plan, ids: WrittenTransfers): void {
    for (const row of [...batch.ended, ...batch.started]) this.#count(row);
    for (const [i, small] of fresh.entries()) small.written(ids.ended[over.length + i] ?? 0);
    for (const small of again) small.written(small.rowId ?? 0);
    for (const [i, transfer] of running.entries()) transfer.rowId = ids.started[i] ?? null;
    const short = [...over, ...absorbed];
    // Its row is complete and not updated again; any number marks it as written.
    for (const transfer of short) transfer.rowId = 0;
    if (short.length > 0) this.#deps.onShort(short);
    if (this.#failing) this.#deps.log.warn('audit rows of transfers are written again');
    this.#failing = false;
  }

  #count({ userId }: NewTransferRow): void {
    this.#rows.add(userId);
  }

  #hasMany({ start }: Transfer): boolean {
    return this.#rows.used(start.principal.userId) > rowsEach;
  }
}

/** For a transfer sent by the proxy only the length is known. */
function isSmall({ outcome, bytesSent, start }: Transfer): boolean {
  return (outcome === 'handed-over' ? start.length : bytesSent) <= SendBuffers.small;
}

/** The memory of an unwritten row, in rows without a selection. */
function weightOf({ start }: Transfer): number {
  return 1 + (start.selection?.ranges.length ?? 0) / rangesPerRow;
}
