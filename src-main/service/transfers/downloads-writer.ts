import type { Transaction } from '../database/port/database.ts';
import { perEngine, rowsOf } from '../database/port/dialect.ts';
import { write } from '../database/port/query.ts';
import { runRows } from '../database/port/steps.ts';
import type { DownloadRow } from './download-rows.ts';
import type { UserAgentsWriter } from './user-agents.ts';

/** Columns that all downloads of a batch share. */
export interface BatchColumns {
  /** Lowest id of the transfers of new downloads. */
  readonly first: number;
  /** Highest id of a transfer. */
  readonly last: number;
  readonly replicaId: number | null;
}

interface DownloadValues extends Omit<DownloadRow, 'userAgent' | 'asArchive'>, BatchColumns {
  readonly asArchive: 0 | 1;
  readonly userAgentId: number | null;
}

const values =
  '@id, @startedAt, @lastAt, @userId, @tokenId, @applicationId, @address, @userAgentId, @measurementId, @fileCount, @filesWhole, @asArchive, @requests, @bytesSent, @outcome, @reason, @first, @last, @replicaId';
const texts = ['@address', '@measurementId', '@outcome', '@reason'];
const columns = values
  .split(', ')
  .map((name) => `"${name.slice(1)}" ${texts.includes(name) ? 'text' : 'bigint'}`)
  .join(', ');
// A replica that was taken for dead must not write over the end that others recorded.
const upsert = write<DownloadValues>(
  `INSERT INTO downloads (id, started_at, last_at, user_id, token_id, application_id, address, user_agent_id, measurement_id, file_count, files_whole, as_archive,
     requests, bytes_sent, outcome, reason, first_transfer_id, last_transfer_id, replica_id)
   ${perEngine(`VALUES (${values})`, `SELECT x.* FROM ${rowsOf('@rows', columns)}`)}
   ON CONFLICT (id) DO UPDATE SET last_at = excluded.last_at, files_whole = excluded.files_whole, as_archive = excluded.as_archive, requests = excluded.requests,
     bytes_sent = excluded.bytes_sent, outcome = excluded.outcome, reason = excluded.reason, last_transfer_id = excluded.last_transfer_id, replica_id = excluded.replica_id WHERE downloads.outcome <> 'killed'`,
);

/**
 * Writes downloads within the transaction that writes their transfers. Their ids come from an
 * IdSource, so that a row and its transfers can refer to each other.
 */
export function* writeDownloads(
  rows: readonly DownloadRow[],
  userAgents: UserAgentsWriter,
  batch: BatchColumns,
): Transaction<void> {
  const written: DownloadValues[] = [];
  for (const row of rows) {
    const userAgentId = yield* userAgents.idOf(row.userAgent, row.userId, row.startedAt);
    const { userAgent: _, ...others } = row;
    written.push({ ...others, asArchive: row.asArchive ? 1 : 0, userAgentId, ...batch });
  }
  yield* runRows(upsert, written);
}
