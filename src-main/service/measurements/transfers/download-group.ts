import type { DownloadOutcome, DownloadRow } from '../../transfers/download-rows.ts';
import type { TransferOutcome } from '../../transfers/transfer-rows.ts';
import { archiveTarget, DownloadCoverage, keyOf, type DownloadTarget } from './download-coverage.ts';
import { SmallTransfers } from './small-transfers.ts';
import type { Transfer, TransferStart } from './transfer.ts';

const manifestTarget = -2;
const maxFailedKept = 500;

/**
 * A download: requests of one credential from one address for one measurement, without long pauses
 * between them.
 */
export class DownloadGroup {
  /** Id of its row; null when the user has begun too many downloads this hour to record each. */
  readonly id: number | null;
  readonly key: string;
  readonly credential: string;
  readonly first: Omit<TransferStart, 'selection'>;
  readonly small = new SmallTransfers();
  readonly #startedAt: number;
  readonly #coverage: DownloadCoverage;
  /** Failed targets whose bytes were not sent later; null where the byte range is unknown. */
  readonly #failed = new Map<number | string, readonly [from: number, to: number] | null>();
  #failedBeyond = false;
  #handedOver = false;
  #reason: TransferOutcome | null = null;
  #running = 0;
  #requests = 0;
  #fileRequests = 0;
  #bytesSent = 0;
  #lastAt: number;

  constructor(id: number | null, key: string, transfer: Transfer) {
    this.id = id;
    this.key = key;
    this.credential = transfer.credential;
    // A selection may be long, and a download outlives its transfers.
    const { selection: _, ...first } = transfer.start;
    this.first = first;
    this.#startedAt = transfer.startedAt;
    this.#lastAt = transfer.startedAt;
    this.#coverage = new DownloadCoverage(transfer.start.fileCount);
  }

  get running(): number {
    return this.#running;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  /** Approximate memory in bytes. */
  get memory(): number {
    return this.#coverage.bytes;
  }

  /** Records the progress of a transfer. Repeated calls add only the difference. */
  note(transfer: Transfer): void {
    const { noted, start } = transfer;
    if (noted.over) return;
    if (noted.requests === 0) this.#requests += 1;
    if (noted.requests === 0 && start.what !== 'manifest') this.#fileRequests += 1;
    noted.requests = 1;
    if (start.what !== 'manifest') this.#bytesSent += transfer.bytesSent - noted.bytes;
    noted.bytes = transfer.bytesSent;
    this.#lastAt = Math.max(this.#lastAt, transfer.endedAt ?? Date.now());
    if (transfer.outcome === null) {
      if (!noted.running) this.#running += 1;
      noted.running = true;
      return;
    }
    if (noted.running) this.#running -= 1;
    noted.over = true;
    this.#noteEnd(start, transfer.bytesSent, transfer.outcome);
  }

  #noteEnd(start: TransferStart, sent: number, outcome: TransferOutcome): void {
    const { from, of, length } = start;
    const target = targetOf(start);
    const key = keyOf(target);
    if (outcome === 'handed-over') {
      this.#handedOver = true;
      return;
    }
    if (from !== null && target !== manifestTarget && start.status < 400)
      this.#coverage.add(target, from, from + sent, of);
    if (outcome !== 'complete') {
      this.#reason = outcome;
      if (this.#failed.size < maxFailedKept) this.#failed.set(key, from === null ? null : [from, from + length]);
      else this.#failedBeyond = true;
      return;
    }
    const failed = this.#failed.get(key);
    if (failed === undefined) return;
    if (target === manifestTarget || (failed ? this.#coverage.has(target, ...failed) : this.#coverage.isWhole(target)))
      this.#failed.delete(key);
  }

  get #outcome(): DownloadOutcome {
    if (this.#running > 0) return 'running';
    const { fileCount } = this.first;
    if (this.#coverage.archiveWhole || (fileCount > 0 && this.#coverage.wholeFiles === fileCount)) return 'whole';
    if (this.#failed.size > 0 || this.#failedBeyond) return 'failed';
    if (this.#handedOver) return 'handed-over';
    return this.#fileRequests === 0 ? 'list' : 'part';
  }

  /** Returns the row to store at this moment. */
  row(id: number): DownloadRow {
    const { principal, address, userAgent, measurementId, fileCount } = this.first;
    const outcome = this.#outcome;
    return {
      id,
      startedAt: this.#startedAt,
      lastAt: this.#lastAt,
      userId: principal.userId,
      tokenId: principal.tokenId,
      applicationId: principal.oauth?.applicationId ?? null,
      address,
      userAgent,
      measurementId,
      fileCount,
      filesWhole: this.#coverage.archiveWhole ? fileCount : this.#coverage.wholeFiles,
      asArchive: this.#coverage.archiveWhole,
      requests: this.#requests,
      bytesSent: this.#bytesSent,
      outcome,
      reason: outcome === 'failed' ? this.#reason : null,
    };
  }
}

function targetOf({ what, fileIndex, selection }: TransferStart): DownloadTarget {
  if (what === 'archive') return selection ?? archiveTarget;
  return what === 'file' ? (fileIndex ?? manifestTarget) : manifestTarget;
}
