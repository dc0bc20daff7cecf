import type { ServerResponse } from 'node:http';
import { offers } from '../../../../src-shared/states/transitions.ts';
import type { NewTransferRow, TransferKind, TransferOutcome, TransferProgress } from '../../transfers/transfer-rows.ts';
import type { Principal } from '../../http/principal.ts';
import type { FileSelection } from '../../files/file-ranges.ts';
import type { DownloadGroup } from './download-group.ts';
import type { SmallTransfer } from './small-transfers.ts';
import { outcomeOf, transferTransitions, type TransferStage } from './transfer-states.ts';
import type { TransferSlots } from './transfer-slots.ts';

/** Begins the `range` of the archive of some files; a space and the Range header may follow. */
export const filesPrefix = 'files=';

export interface TransferStart {
  readonly principal: Principal;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly measurementId: string;
  readonly what: TransferKind;
  readonly fileIndex: number | null;
  /** The files in the archive, where they are not all. */
  readonly selection?: FileSelection;
  /** The request: the files of the archive where they are not all, and the Range header. */
  readonly range: string | null;
  readonly status: number;
  /** Length of the body, in bytes. */
  readonly length: number;
  /** Where the body begins within the file or archive; null when it is not a single range of it. */
  readonly from: number | null;
  /** Length of the whole file or archive, in bytes. */
  readonly of: number;
  /** Number of files in the measurement. */
  readonly fileCount: number;
}

/** The sending of one response body. */
export class Transfer {
  /** Unique within this run of the service. */
  readonly id: number;
  readonly start: TransferStart;
  readonly startedAt = Date.now();
  readonly credential: string;
  bytesSent = 0;
  outcome: TransferOutcome | null = null;
  endedAt: number | null = null;
  rowId: number | null = null;
  /** The slots it is counted in; null when it never ran. */
  places: TransferSlots | null = null;
  /** The download it belongs to, once recorded. */
  group: DownloadGroup | null = null;
  /** The row it shares with transfers of the same kind. */
  small: SmallTransfer | null = null;
  /** The progress that its download has already counted. */
  readonly noted = { requests: 0, bytes: 0, running: false, over: false };
  /** When its access was last known to hold, of `performance.now()`. */
  confirmedAt = performance.now();
  /** `bytesSent` at the last stall check; null before the first. */
  sentBefore: number | null = null;
  #status: number;
  /** Why the server closed the connection; null when it did not. */
  #reason: TransferOutcome | null = null;
  // Released at the end: a row waiting to be written would otherwise keep request, response and
  // buffers alive past V8's young generation.
  #response: ServerResponse | null;

  constructor(id: number, start: TransferStart, response: ServerResponse | null, credential: string) {
    this.id = id;
    this.start = start;
    this.#status = start.status;
    this.#response = response;
    this.credential = credential;
  }

  /** @throws Error once the transfer has ended. */
  get response(): ServerResponse {
    if (!this.#response) throw new Error('the transfer is over');
    return this.#response;
  }

  /** Ends it, see {@link outcomeOf}. */
  over(seen: TransferOutcome, isStopping: boolean): void {
    if (!offers(transferTransitions, this.stage, 'end')) return;
    this.endedAt = Date.now();
    this.outcome = outcomeOf(seen, this.#reason, isStopping);
    this.#response = null;
  }

  get stage(): TransferStage {
    if (this.outcome !== null) return 'over';
    return this.#reason === null ? 'running' : 'closing';
  }

  /** Closes the connection, so that a client cannot take a partial body for the whole. */
  cut(reason: TransferOutcome): void {
    if (!offers(transferTransitions, this.stage, 'cut')) return;
    this.#reason = reason;
    this.#response?.destroy();
  }

  /** Records the status of an error response that was sent instead of the body. */
  refusedWith(status: number): void {
    this.#status = status;
  }

  row(): NewTransferRow {
    const { principal, address, measurementId, what, fileIndex, range, userAgent } = this.start;
    return {
      address,
      measurementId,
      what,
      fileIndex,
      range,
      userAgent,
      status: this.#status,
      userId: principal.userId,
      tokenId: principal.tokenId,
      oauthTokenId: principal.oauth?.tokenId ?? null,
      applicationId: principal.oauth?.applicationId ?? null,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      bytesSent: this.bytesSent,
      outcome: this.outcome,
      requests: 1,
      downloadId: this.group?.id ?? null,
    };
  }

  progress(id: number): TransferProgress {
    return { id, endedAt: this.endedAt, bytesSent: this.bytesSent, outcome: this.outcome };
  }
}
