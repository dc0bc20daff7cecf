import type { Reader } from '../../database/port/database.ts';
import { inNumbers } from '../../database/port/dialect.ts';
import { read, readValue, type ReadQuery } from '../../database/port/query.ts';
import type { DownloadOutcome } from '../../transfers/download-rows.ts';
import type { TransferWithNames } from '../../transfers/transfer-rows.ts';

export interface StoredDownload {
  readonly id: number;
  readonly started_at: number;
  readonly last_at: number;
  readonly username: string | null;
  readonly token_name: string | null;
  readonly application_name: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly measurement_id: string;
  readonly file_count: number;
  readonly files_whole: number;
  readonly as_archive: 0 | 1;
  readonly requests: number;
  readonly bytes_sent: number;
  readonly outcome: DownloadOutcome;
  readonly reason: string | null;
  readonly first_transfer_id: number;
  readonly last_transfer_id: number;
}

/** Conditions for downloads; all that are not null must hold. */
export interface DownloadFilter {
  readonly measurementId: string | null;
  readonly userId: number | null;
  readonly outcome: DownloadOutcome | null;
  /** Start time in milliseconds since 1970: from inclusive, before exclusive. */
  readonly from: number | null;
  readonly before: number | null;
}

export interface DownloadsListStore {
  /**
   * Returns one page, newest first, and the total.
   *
   * @param signal Aborts the search, for example when the client has disconnected.
   */
  page(
    filter: DownloadFilter,
    limit: number,
    offset: number,
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly StoredDownload[]; readonly total: number }>;
  /** Returns at most `limit` downloads with ids below `below`, newest first. */
  older(filter: DownloadFilter, below: number, limit: number): Promise<readonly StoredDownload[]>;
  byId(id: number): Promise<StoredDownload | null>;
  /**
   * Returns the transfers of a download, oldest first: one per file, more for files sent in ranges.
   */
  transfers(
    download: StoredDownload,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly TransferWithNames[]; readonly total: number }>;
}

// Ids scanned per step, a few milliseconds; then the event loop can do other work.
const rowsPerStep = 10_000;

const named = `SELECT downloads.*, text AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name
  FROM downloads LEFT JOIN user_agents ON user_agents.id = downloads.user_agent_id LEFT JOIN users ON users.id = downloads.user_id
  LEFT JOIN personal_access_tokens ON personal_access_tokens.id = downloads.token_id LEFT JOIN oauth_applications ON oauth_applications.id = downloads.application_id`;

// Searches by measurement within the id range of the download: an index by download would slow
// down every insert.
const own = 'measurement_id = @measurement AND id BETWEEN @first AND @last AND download_id = @id';
type Own = { readonly measurement: string; readonly first: number; readonly last: number; readonly id: number };

const highest = readValue<[], number | null>('SELECT max(id) FROM downloads');
const lowest = readValue<[], number | null>('SELECT min(id) FROM downloads');
const withNames = read<[string], StoredDownload>(
  `${named} WHERE ${inNumbers('downloads.id', '?')} ORDER BY downloads.id DESC`,
);
const byId = read<[number], StoredDownload>(`${named} WHERE downloads.id = ?`);
const transfers = read<Own & { limit: number; offset: number }, TransferWithNames>(
  `SELECT page.*, text AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
   FROM (SELECT * FROM transfers WHERE ${own} ORDER BY id LIMIT @limit OFFSET @offset) AS page
   LEFT JOIN user_agents ON user_agents.id = page.user_agent_id LEFT JOIN users ON users.id = page.user_id
   LEFT JOIN personal_access_tokens ON personal_access_tokens.id = page.token_id LEFT JOIN oauth_applications ON oauth_applications.id = page.application_id
   LEFT JOIN measurement_files ON measurement_files.measurement_id = page.measurement_id AND measurement_files.idx = page.file_index ORDER BY page.id`,
);
const countTransfers = readValue<Own, number>(`SELECT count(*) FROM transfers WHERE ${own}`);

/** Reads downloads from SQLite in steps, by id, which is also the order of their start. */
export function downloadsListStore(database: Reader): DownloadsListStore {
  return {
    page: async (filter, limit, offset, signal) => {
      const query = matching(filter);
      const first = (await database.one(lowest)) ?? 0;
      const ids: number[] = [];
      let total = 0;
      const newest = (await database.one(highest)) ?? 0;
      for (let below = newest + 1; below > first && !signal.aborted; below -= rowsPerStep) {
        const found = await database.all(query, { ...filter, from_id: below - rowsPerStep, below });
        ids.push(...found.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)));
        total += found.length;
        await new Promise(setImmediate);
      }
      return { rows: await database.all(withNames, JSON.stringify(ids)), total };
    },
    older: async (filter, below, limit) => {
      const query = matching(filter);
      const first = (await database.one(lowest)) ?? 0;
      const ids: number[] = [];
      const newest = (await database.one(highest)) ?? 0;
      for (let end = Math.min(below, newest + 1); end > first && ids.length < limit; end -= rowsPerStep) {
        const found = await database.all(query, { ...filter, from_id: end - rowsPerStep, below: end });
        ids.push(...found.slice(0, limit - ids.length));
        await new Promise(setImmediate);
      }
      return database.all(withNames, JSON.stringify(ids));
    },
    byId: async (id) => database.one(byId, id),
    transfers: async (
      { id, measurement_id: measurement, first_transfer_id: first, last_transfer_id: last },
      limit,
      offset,
    ) => {
      const which = { id, measurement, first, last };
      return {
        rows: await database.all(transfers, { ...which, limit, offset }),
        total: (await database.one(countTransfers, which)) ?? 0,
      };
    },
  };
}

function matching(filter: DownloadFilter): ReadQuery<DownloadFilter & { from_id: number; below: number }, number> {
  return readValue(
    `SELECT id FROM downloads WHERE id >= @from_id AND id < @below AND ${conditions(filter)} ORDER BY id DESC`,
  );
}

function conditions(filter: DownloadFilter): string {
  return [
    'TRUE',
    ...(filter.measurementId === null ? [] : ['measurement_id = @measurementId']),
    ...(filter.userId === null ? [] : ['user_id = @userId']),
    ...(filter.outcome === null ? [] : ['outcome = @outcome']),
    ...(filter.from === null ? [] : ['started_at >= @from']),
    ...(filter.before === null ? [] : ['started_at < @before']),
  ].join(' AND ');
}
