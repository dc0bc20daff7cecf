import type { IdSource } from '../database/id-source.ts';
import type { Cluster } from '../database/cluster/cluster.ts';
import { isOfDeadReplica } from '../database/cluster/dead-replicas.ts';
import { insertRowsForIds } from '../database/insert-rows.ts';
import type { Database, Transaction } from '../database/port/database.ts';
import { perEngine, rowsOf } from '../database/port/dialect.ts';
import { read, readValue, write, type SqlValue } from '../database/port/query.ts';
import { one, runRows } from '../database/port/steps.ts';
import { maxCounted, totalOf, type Total } from '../database/totals.ts';
import { writeDownloads } from './downloads-writer.ts';
import { UserAgents, type UserAgentsWriter } from './user-agents.ts';
import type {
  NewTransferRow,
  RepeatedTransfer,
  TransferBatch,
  WrittenTransfers,
  TransferProgress,
  TransferWithNames,
} from './transfer-rows.ts';

export interface TransfersStore {
  /** Writes a batch in one transaction. */
  write(batch: TransferBatch): Promise<WrittenTransfers>;
  /** Returns an id that was never used for a download and will not be returned again. */
  newDownloadId(): number;
  /**
   * Ends, in steps, the rows that earlier runs of the service left without an end. The time of the
   * end is unknown, so `now` is stored.
   *
   * @param signal Stops the search early; the next call ends the rest.
   */
  endLeftOver(now: number, signal: AbortSignal): Promise<void>;
  /** Ends the rows without an end whose replica is dead. */
  endOfDeadReplicas(now: number): Promise<void>;
  /** Returns the transfers of a measurement, newest first. */
  ofMeasurement(
    measurementId: string,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly TransferWithNames[]; readonly total: Total }>;
}

// Rows scanned per step, a few milliseconds. Rows without an end have no index, because it would
// slow down every download.
const rowsPerStep = 10_000;

// A replica that was taken for dead must not write over the end that others recorded.
const update = write<TransferProgress>(
  perEngine(
    'UPDATE transfers SET ended_at = @endedAt, bytes_sent = @bytesSent, outcome = @outcome WHERE id = @id AND ended_at IS NULL',
    `UPDATE transfers SET ended_at = x."endedAt", bytes_sent = x."bytesSent", outcome = x.outcome
     FROM ${rowsOf('@rows', 'id bigint, "endedAt" bigint, "bytesSent" bigint, outcome text')}
     WHERE transfers.id = x.id AND transfers.ended_at IS NULL`,
  ),
);
const repeat = write<Pick<RepeatedTransfer, 'id' | 'endedAt' | 'bytesSent' | 'requests' | 'range'>>(
  perEngine(
    'UPDATE transfers SET ended_at = @endedAt, bytes_sent = @bytesSent, requests = @requests, range = @range WHERE id = @id',
    `UPDATE transfers SET ended_at = x."endedAt", bytes_sent = x."bytesSent", requests = x.requests, range = x.range
     FROM ${rowsOf('@rows', 'id bigint, "endedAt" bigint, "bytesSent" bigint, requests bigint, range text')} WHERE transfers.id = x.id`,
  ),
);
const endBetween = write<[number, number, number]>(
  "UPDATE transfers SET ended_at = ?, outcome = 'killed' WHERE id > ? AND id <= ? AND ended_at IS NULL",
);
const lastOfAll = readValue<[], number | null>('SELECT max(id) FROM transfers');
const lastDownload = readValue<[], number | null>('SELECT max(id) FROM downloads');
const endDownloads = write<[number]>("UPDATE downloads SET outcome = 'killed' WHERE outcome = 'running' AND id <= ?");
const endOfDead = write<[number]>(
  `UPDATE transfers SET ended_at = ?, outcome = 'killed' WHERE ended_at IS NULL AND ${isOfDeadReplica('transfers.replica_id')}`,
);
const endDownloadsOfDead = write<[]>(
  `UPDATE downloads SET outcome = 'killed' WHERE outcome = 'running' AND ${isOfDeadReplica('downloads.replica_id')}`,
);
const insert = insertRowsForIds(
  'INSERT INTO transfers (started_at, ended_at, user_id, token_id, oauth_token_id, application_id, address, measurement_id, what, file_index, range, status, bytes_sent, outcome, user_agent_id, requests, download_id, replica_id)',
  18,
);
const page = read<[string, number, number], TransferWithNames>(
  `SELECT page.*, ifnull(user_agents.text, page.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
   FROM (SELECT * FROM transfers WHERE measurement_id = ? ORDER BY id DESC LIMIT ? OFFSET ?) AS page
   LEFT JOIN user_agents ON user_agents.id = page.user_agent_id LEFT JOIN users ON users.id = page.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = page.token_id
   LEFT JOIN oauth_applications ON oauth_applications.id = page.application_id
   LEFT JOIN measurement_files ON measurement_files.measurement_id = page.measurement_id AND measurement_files.idx = page.file_index ORDER BY page.id DESC`,
);
const count = readValue<[string], number>(
  `SELECT count(*) FROM (SELECT 1 FROM transfers WHERE measurement_id = ? LIMIT ${maxCounted + 1}) AS counted`,
);

/**
 * The audit trail of transfers.
 *
 * @param downloadIds for the table `downloads`.
 */
export async function transfersStore(
  database: Database,
  downloadIds: IdSource,
  cluster: Pick<Cluster, 'replica'>,
): Promise<TransfersStore> {
  const userAgents = new UserAgents();
  // Read at start, before this run has inserted rows.
  const lastOfEarlierRuns = (await database.one(lastOfAll)) ?? 0;
  const lastDownloadOfEarlierRuns = (await database.one(lastDownload)) ?? 0;

  return {
    write: async (batch) => {
      const replicaId = cluster.replica()?.id ?? null;
      // Without an fsync: four per second would stall all transfers. A killed process loses nothing
      // by that; a power cut may lose the rows since the last commit with fsync or the last
      // checkpoint.
      const { written, writer } = await database.relaxed(function* () {
        const agents = userAgents.writer();
        return { writer: agents, written: yield* writeBatch(batch, agents, replicaId) };
      });
      writer.committed();
      return written;
    },
    newDownloadId: () => downloadIds.next(),
    endLeftOver: async (now, signal) => {
      await database.run(endDownloads, lastDownloadOfEarlierRuns);
      for (let last = lastOfEarlierRuns; last > 0 && !signal.aborted; last -= rowsPerStep) {
        await database.run(endBetween, now, last - rowsPerStep, last);
        await new Promise(setImmediate);
      }
    },
    endOfDeadReplicas: async (now) => {
      await database.run(endOfDead, now);
      await database.run(endDownloadsOfDead);
    },
    ofMeasurement: async (measurementId, limit, offset) => ({
      rows: await database.all(page, measurementId, limit, offset),
      total: totalOf((await database.one(count, measurementId)) ?? 0),
    }),
  };
}

function* writeBatch(
  batch: TransferBatch,
  agents: UserAgentsWriter,
  replicaId: number | null,
): Transaction<WrittenTransfers> {
  yield* runRows(
    update,
    batch.progress.map(({ id, endedAt, bytesSent, outcome }) => ({ id, endedAt, bytesSent, outcome })),
  );
  yield* runRows(
    repeat,
    batch.repeated.map(({ id, endedAt, bytesSent, requests, range }) => ({ id, endedAt, bytesSent, requests, range })),
  );
  const ended = yield* insertAll(batch.ended, agents, replicaId);
  const started = yield* insertAll(batch.started, agents, replicaId);
  if (batch.downloads.length > 0) {
    const newIds = [...ended, ...started];
    const last = newIds.length > 0 ? Math.max(...newIds) : ((yield* one(lastOfAll)) ?? 0);
    const first = newIds.length > 0 ? Math.min(...newIds) : last + 1;
    yield* writeDownloads(batch.downloads, agents, { first, last, replicaId });
  }
  return { ended, started };
}

function* insertAll(
  rows: readonly NewTransferRow[],
  agents: UserAgentsWriter,
  replicaId: number | null,
): Transaction<readonly number[]> {
  const values: SqlValue[][] = [];
  for (const row of rows) {
    const userAgentId = yield* agents.idOf(row.userAgent, row.userId, row.startedAt);
    values.push([...columnsOf(row, userAgentId), replicaId]);
  }
  return yield* insert(values);
}

function columnsOf(row: NewTransferRow, userAgentId: number | null): SqlValue[] {
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
