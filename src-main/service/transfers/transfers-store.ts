import type Database from 'better-sqlite3';
import { insertRows } from '../database/insert-rows.ts';
import { maxCounted, totalOf, type Total } from '../database/totals.ts';
import type { DownloadRow } from './download-rows.ts';
import { downloadsWriter } from './downloads-writer.ts';
import { UserAgents } from './user-agents.ts';

export type TransferKind = 'manifest' | 'file' | 'archive';
export type TransferOutcome =
  | 'complete'
  | 'client-closed'
  | 'revoked'
  | 'file-changed'
  | 'read-error'
  | 'checksum-mismatch'
  | 'stalled'
  | 'stopped'
  | 'ended'
  | 'killed'
  | 'handed-over';

/** One transfer as it is written: whole when it was short, without an end when it still runs. */
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
  /** How many of one kind this row stands for. */
  readonly requests: number;
  readonly downloadId: number | null;
}

/** A row that stands for more transfers than when it was written last. */
export interface RepeatedTransfer {
  readonly id: number;
  readonly endedAt: number | null;
  readonly requests: number;
  readonly bytesSent: number;
  readonly range: string | null;
  readonly what: TransferKind;
  readonly outcome: TransferOutcome | null;
  /** Since then. */
  readonly added: { readonly requests: number; readonly bytesSent: number };
}

/** What is written in one transaction. */
export interface TransferBatch {
  /** Over before they were written. */
  readonly ended: readonly NewTransferRow[];
  /** First rows of those that run. */
  readonly started: readonly NewTransferRow[];
  readonly progress: readonly TransferProgress[];
  readonly repeated: readonly RepeatedTransfer[];
  /** As they stand now, new or not. */
  readonly downloads: readonly DownloadRow[];
}

/** Numbers of new rows, in order. */
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

export interface TransfersStore {
  /** Writes a batch in one transaction. */
  write(batch: TransferBatch): Promise<WrittenTransfers>;
  /** A number that no download has had, nor any that is asked for later. */
  newDownloadId(): number;
  /**
   * Ends what earlier runs of the service have left without an end, step by step: when it ended nobody knows, so it is the time at which it is found.
   *
   * @param signal ends the search early; the next one finds the rest.
   */
  endLeftOver(now: number, signal: AbortSignal): Promise<void>;
  /** The transfers of a measurement, the newest first. */
  ofMeasurement(
    measurementId: string,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly TransferWithNames[]; readonly total: Total }>;
}

// So many rows are looked through in a few milliseconds; no index is kept for those without an end, which every download would pay for.
const rowsPerStep = 10_000;

/** The audit trail of transfers in SQLite. */
export function transfersStore(database: Database.Database): TransfersStore {
  const userAgents = new UserAgents(database);
  const downloads = downloadsWriter(database, userAgents);
  const into =
    'INSERT INTO transfers (started_at, ended_at, user_id, token_id, oauth_token_id, application_id, address, measurement_id, what, file_index, range, status, bytes_sent, outcome, user_agent_id, requests, download_id)';
  const insert = insertRows(database, into, 17);
  const update = database.prepare<[number | null, number, string | null, number]>(
    'UPDATE transfers SET ended_at = ?, bytes_sent = ?, outcome = ? WHERE id = ?',
  );
  const repeat = database.prepare<[number | null, number, number, string | null, number]>(
    'UPDATE transfers SET ended_at = ?, bytes_sent = ?, requests = ?, range = ? WHERE id = ?',
  );
  const lastInserted = database.prepare<[], number>('SELECT last_insert_rowid()').pluck();
  const endBetween = database.prepare<[number, number, number]>(
    "UPDATE transfers SET ended_at = ?, outcome = 'killed' WHERE id > ? AND id <= ? AND ended_at IS NULL",
  );
  // Nothing of this run is among them yet.
  const lastOfAll = database.prepare<[], number | null>('SELECT max(id) FROM transfers').pluck();
  const lastOfEarlierRuns = lastOfAll.get() ?? 0;
  const page = database.prepare<[string, number, number], TransferWithNames>(
    `SELECT page.*, ifnull(user_agents.text, page.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
     FROM (SELECT * FROM transfers WHERE measurement_id = ? ORDER BY id DESC LIMIT ? OFFSET ?) AS page
     LEFT JOIN user_agents ON user_agents.id = page.user_agent_id LEFT JOIN users ON users.id = page.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = page.token_id
     LEFT JOIN oauth_applications ON oauth_applications.id = page.application_id
     LEFT JOIN measurement_files ON measurement_files.measurement_id = page.measurement_id AND measurement_files.idx = page.file_index ORDER BY page.id DESC`,
  );
  const count = database
    .prepare<[string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM transfers WHERE measurement_id = ? LIMIT ${maxCounted + 1})`,
    )
    .pluck();
  function insertAll(rows: readonly NewTransferRow[]): readonly number[] {
    if (rows.length === 0) return [];
    insert(rows.map((row) => columnsOf(row, userAgents.idOf(row.userAgent, row.userId, row.startedAt))));
    // AUTOINCREMENT gives the rows of one transaction numbers without gaps.
    const last = lastInserted.get() ?? 0;
    return rows.map((_, i) => last - rows.length + 1 + i);
  }

  const write = database.transaction((batch: TransferBatch): WrittenTransfers => {
    const before = lastOfAll.get() ?? 0;
    for (const one of batch.progress) update.run(one.endedAt, one.bytesSent, one.outcome, one.id);
    for (const one of batch.repeated) repeat.run(one.endedAt, one.bytesSent, one.requests, one.range, one.id);
    const written = { ended: insertAll(batch.ended), started: insertAll(batch.started) };
    downloads.write(batch.downloads, before + 1, lastOfAll.get() ?? 0);
    return written;
  });
  return {
    write: async (batch) => {
      // Without waiting for the disk: four waits a second would stop every transfer each time. A kill loses nothing of it; a power cut may lose the
      // rows since the last commit of something else or the last checkpoint.
      database.pragma('synchronous = NORMAL');
      try {
        return write.immediate(batch);
      } catch (error) {
        userAgents.forget();
        throw error;
      } finally {
        database.pragma('synchronous = FULL');
      }
    },
    newDownloadId: () => downloads.newId(),
    endLeftOver: async (now, signal) => {
      downloads.endLeftOver();
      for (let last = lastOfEarlierRuns; last > 0 && !signal.aborted; last -= rowsPerStep) {
        endBetween.run(now, last - rowsPerStep, last);
        await new Promise(setImmediate);
      }
    },
    ofMeasurement: async (measurementId, limit, offset) => ({
      rows: page.all(measurementId, limit, offset),
      total: totalOf(count.get(measurementId) ?? 0),
    }),
  };
}

function columnsOf(row: NewTransferRow, userAgentId: number | null): (string | number | null)[] {
  return [
    row.startedAt,
    row.endedAt,
    row.userId,
    row.tokenId,
    row.oauthTokenId,
    row.applicationId,
    row.address,
    row.measurementId,
    row.what,
    row.fileIndex,
    row.range,
    row.status,
    row.bytesSent,
    row.outcome,
    userAgentId,
    row.requests,
    row.downloadId,
  ];
}
