import type { Database } from '../database/port/database.ts';
import { inNumbers, like } from '../database/port/dialect.ts';
import { read, readValue } from '../database/port/query.ts';
import { inSteps } from '../database/in-steps.ts';
import { maxCounted, totalOf, type Total } from '../database/totals.ts';
import { likePattern } from '../database/text-search.ts';
import type { TransferWithNames } from './transfer-rows.ts';

export interface PastTransferRow extends TransferWithNames {
  readonly measurement_id: string;
}

export interface PastTransfersStore {
  /**
   * Returns transfers of all measurements, newest first, and their total. A search stops after a
   * number of rows; the total is then incomplete.
   *
   * @param search Part of a user name, measurement id or address; empty for all.
   * @param signal Aborts a search, for example when the client has disconnected.
   */
  page(
    search: string,
    limit: number,
    offset: number,
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly PastTransferRow[]; readonly total: Total }>;
  /** Transfers without an end, of all replicas, the oldest thousand. */
  running(): Promise<readonly PastTransferRow[]>;
}

const rowsPerStep = 4000;
// Most rows that a search reads; once the page is full, the lower limit applies, which only serves
// the total.
const maxSearched = 2_000_000;
const maxSearchedToCount = 200_000;

const count = readValue<[], number>(
  `SELECT count(*) FROM (SELECT 1 FROM transfers LIMIT ${maxCounted + 1}) AS counted`,
);
const newest = readValue<[number, number], number>(
  'SELECT id FROM transfers ORDER BY started_at DESC, id DESC LIMIT ? OFFSET ?',
);
const highest = readValue<[], number | null>('SELECT max(id) FROM transfers');
// Users are looked up row by row: a list of those that fit would be a cost of each step.
const fitting = readValue<{ from: number; before: number; pattern: string }, number>(
  `SELECT id FROM transfers WHERE id >= @from AND id < @before
     AND (${like('measurement_id', '@pattern')} OR ${like('address', '@pattern')}
       OR EXISTS (SELECT 1 FROM users WHERE users.id = transfers.user_id AND ${like('username', '@pattern')})) ORDER BY id DESC`,
);
const named = (
  where: string,
) => `SELECT transfers.*, ifnull(user_agents.text, transfers.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
   FROM transfers LEFT JOIN user_agents ON user_agents.id = transfers.user_agent_id LEFT JOIN users ON users.id = transfers.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = transfers.token_id
   LEFT JOIN oauth_applications ON oauth_applications.id = transfers.application_id
   LEFT JOIN measurement_files ON measurement_files.measurement_id = transfers.measurement_id AND measurement_files.idx = transfers.file_index
   WHERE ${where}`;
const withNames = read<[string], PastTransferRow>(named(inNumbers('transfers.id', '?')));
const running = read<[], PastTransferRow>(named('transfers.ended_at IS NULL ORDER BY transfers.id LIMIT 1000'));

/**
 * Reads the audit trail of transfers over all measurements. A page without a search uses the index
 * by time. A search reads rows in steps, by id, which is also the order of their start: indexes for
 * it would slow down every download.
 */
export function pastTransfersStore(database: Database): PastTransfersStore {
  async function find(
    search: string,
    limit: number,
    offset: number,
    signal: AbortSignal,
  ): Promise<{ readonly ids: readonly number[]; readonly total: Total }> {
    const pattern = likePattern(search);
    const ids: number[] = [];
    const begin = ((await database.one(highest)) ?? 0) + 1;
    let [counted, before, end] = [0, begin, Math.max(1, begin - maxSearched)];
    await inSteps(database.steps, rowsPerStep, async (size) => {
      const found = await database.all(fitting, { from: before - size, before, pattern });
      ids.push(...found.slice(Math.max(0, offset - counted), Math.max(0, offset + limit - counted)));
      counted += found.length;
      before -= size;
      if (ids.length === limit) end = Math.max(end, begin - maxSearchedToCount);
      return before > end && counted <= maxCounted && !signal.aborted;
    });
    return { ids, total: { ...totalOf(counted), complete: before <= 1 && counted <= maxCounted } };
  }

  return {
    running: async () => database.all(running),
    page: async (search, limit, offset, signal) => {
      const { ids, total } =
        search === ''
          ? { ids: await database.all(newest, limit, offset), total: totalOf((await database.one(count)) ?? 0) }
          : await find(search, limit, offset, signal);
      const rows = new Map((await database.all(withNames, JSON.stringify(ids))).map((row) => [row.id, row]));
      return { rows: ids.flatMap((id) => rows.get(id) ?? []), total };
    },
  };
}
