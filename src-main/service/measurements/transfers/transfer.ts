import type { ServerResponse } from 'node:http';
import type {
  NewTransferRow,
  TransferKind,
  TransferOutcome,
  TransferProgress,
} from '../../transfers/transfers-store.ts';
import type { Principal } from '../../http/principal.ts';
import type { DownloadGroup } from './download-group.ts';
import type { SmallTransfer } from './small-transfers.ts';
import type { TransferSlots } from './transfer-slots.ts';

export interface TransferStart {
  readonly principal: Principal;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly measurementId: string;
  readonly what: TransferKind;
  readonly fileIndex: number | null;
  readonly range: string | null;
  readonly status: number;
  /** Of the body, in bytes. */
  readonly length: number;
  /** Where the body begins within the file or archive; null when it is no single piece of it. */
  readonly from: number | null;
  /** Length of the whole file or archive. */
  readonly of: number;
  /** Of the measurement. */
  readonly fileCount: number;
}

/** One body on its way. */
export class Transfer {
  /** Of this run of the service. */
  readonly id: number;
  readonly start: TransferStart;
  readonly startedAt = Date.now();
  readonly credential: string;
  bytesSent = 0;
  /** Why we ended the connection, when it was us. */
  reason: TransferOutcome | null = null;
  outcome: TransferOutcome | null = null;
  endedAt: number | null = null;
  rowId: number | null = null;
  /** Where it is counted; null when it never ran. */
  places: TransferSlots | null = null;
  /** The download that it is part of, once it is recorded. */
  group: DownloadGroup | null = null;
  /** The row that it shares with others of its kind. */
  small: SmallTransfer | null = null;
  /** What its download knows of it already. */
  readonly noted = { requests: 0, bytes: 0, running: false, over: false };
  /** Bytes sent when it was last looked at; null before that. */
  sentBefore: number | null = null;
  #status: number;
  // Let go with the end: a row that waits to be written would keep request, response and buffers out of reach of the quick garbage collection.
  #response: ServerResponse | null;

  constructor(id: number, start: TransferStart, response: ServerResponse | null, credential: string) {
    this.id = id;
    this.start = start;
    this.#status = start.status;
    this.#response = response;
    this.credential = credential;
  }

  /** While it runs. */
  get response(): ServerResponse {
    if (!this.#response) throw new Error('the transfer is over');
    return this.#response;
  }

  over(outcome: TransferOutcome): void {
    this.endedAt = Date.now();
    this.outcome = outcome;
    this.#response = null;
  }

  /** Ends the connection, so that no client takes what it has for the whole. */
  cut(reason: TransferOutcome): void {
    this.reason ??= reason;
    this.#response?.destroy();
  }

  /** Nothing was sent after all; the request got this status instead. */
  refusedWith(status: number): void {
    this.#status = status;
  }

  row(): NewTransferRow {
    const { principal, length: _, from: _from, of: _of, fileCount: _fileCount, ...start } = this.start;
    return {
      ...start,
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
