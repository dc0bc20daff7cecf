import type { DownloadRow } from './download-rows.ts';

export type TransferKind = 'manifest' | 'file' | 'archive';
export type TransferOutcome =
  | 'complete'
  | 'client-closed'
  | 'revoked'
  /** The database did not say any more whether access holds. */
  | 'unconfirmed'
  | 'file-changed'
  | 'read-error'
  | 'checksum-mismatch'
  | 'stalled'
  | 'stopped'
  | 'ended'
  | 'killed'
  | 'handed-over';

/** A transfer as stored: complete when it was short, without an end while it is running. */
export interface NewTransferRow {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly oauthTokenId: number | null;
  readonly applicationId: number | null;
  readonly address: string | null;
  readonly measurementId: string;
  readonly what: TransferKind;
  readonly fileIndex: number | null;
  readonly range: string | null;
  readonly status: number;
  readonly bytesSent: number;
  readonly outcome: TransferOutcome | null;
  readonly userAgent: string | null;
  /** Number of transfers of one kind that the row stands for. */
  readonly requests: number;
  readonly downloadId: number | null;
}

/** Update of a row that stands for more transfers than when it was last written. */
export interface RepeatedTransfer {
  readonly id: number;
  readonly endedAt: number | null;
  readonly requests: number;
  readonly bytesSent: number;
  readonly range: string | null;
  readonly what: TransferKind;
  readonly outcome: TransferOutcome | null;
  /** Increase since the last write. */
  readonly added: { readonly requests: number; readonly bytesSent: number };
}

/** Rows to write in one transaction. */
export interface TransferBatch {
  /** Transfers that ended before they were first written. */
  readonly ended: readonly NewTransferRow[];
  /** First rows of running transfers. */
  readonly started: readonly NewTransferRow[];
  readonly progress: readonly TransferProgress[];
  readonly repeated: readonly RepeatedTransfer[];
  /** Current state, of new and existing downloads. */
  readonly downloads: readonly DownloadRow[];
}

/** Ids of the new rows, in order. */
export interface WrittenTransfers {
  readonly ended: readonly number[];
  readonly started: readonly number[];
}

export interface TransferProgress {
  readonly id: number;
  readonly endedAt: number | null;
  readonly bytesSent: number;
  readonly outcome: TransferOutcome | null;
}

export interface TransferWithNames {
  readonly id: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly username: string | null;
  readonly token_name: string | null;
  readonly application_name: string | null;
  readonly address: string | null;
  readonly what: TransferKind;
  readonly file_index: number | null;
  readonly path: string | null;
  readonly range: string | null;
  readonly status: number;
  readonly bytes_sent: number;
  readonly outcome: string | null;
  readonly user_agent: string | null;
  readonly requests: number;
}
