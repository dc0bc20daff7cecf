import type Database from 'better-sqlite3';
import type { DownloadRow } from './download-rows.ts';
import type { UserAgents } from './user-agents.ts';

export interface DownloadsWriter {
  /**
   * Writes rows within the transaction that writes their transfers.
   *
   * @param first Lowest id of new transfers.
   * @param last Highest id of a transfer.
   */
  write(rows: readonly DownloadRow[], first: number, last: number): void;
  newId(): number;
  /** Marks downloads that a killed run left running as ended. */
  endLeftOver(): void;
}

/**
 * Writes downloads to SQLite. Ids are assigned in memory, which is safe because only the running
 * service writes downloads; a row and its transfers can then refer to each other.
 */
export function downloadsWriter(database: Database.Database, userAgents: UserAgents): DownloadsWriter {
  const upsert = database.prepare<[Record<string, string | number | null>]>(
    `INSERT INTO downloads (id, started_at, last_at, user_id, token_id, application_id, address, user_agent_id, measurement_id, file_count, files_whole, as_archive,
       requests, bytes_sent, outcome, reason, first_transfer_id, last_transfer_id)
     VALUES (@id, @startedAt, @lastAt, @userId, @tokenId, @applicationId, @address, @userAgentId, @measurementId, @fileCount, @filesWhole, @asArchive,
       @requests, @bytesSent, @outcome, @reason, @first, @last)
     ON CONFLICT (id) DO UPDATE SET last_at = excluded.last_at, files_whole = excluded.files_whole, as_archive = excluded.as_archive, requests = excluded.requests,
       bytes_sent = excluded.bytes_sent, outcome = excluded.outcome, reason = excluded.reason, last_transfer_id = excluded.last_transfer_id`,
  );
  const endLeft = database.prepare<[number]>(
    "UPDATE downloads SET outcome = 'killed' WHERE outcome = 'running' AND id <= ?",
  );
  // The sequence remains after rows were deleted.
  const lastOfEarlierRuns =
    database.prepare<[], number | null>("SELECT seq FROM sqlite_sequence WHERE name = 'downloads'").pluck().get() ?? 0;
  let lastId = lastOfEarlierRuns;
  return {
    write: (rows, first, last) => {
      for (const row of rows) {
        const userAgentId = userAgents.idOf(row.userAgent, row.userId, row.startedAt);
        const { userAgent: _, ...columns } = row;
        upsert.run({ ...columns, asArchive: row.asArchive ? 1 : 0, userAgentId, first, last });
      }
    },
    newId: () => (lastId += 1),
    endLeftOver: () => void endLeft.run(lastOfEarlierRuns),
  };
}
