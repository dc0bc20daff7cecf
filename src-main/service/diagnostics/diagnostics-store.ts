import type { Database } from '../database/port/database.ts';
import { read } from '../database/port/query.ts';

export interface DiagnosticsStore {
  settings(): Promise<readonly (readonly [key: string, value: string])[]>;
  /** Returns the newest first, without their subjects and owners. */
  jobs(): Promise<readonly object[]>;
  fetches(): Promise<readonly object[]>;
}

const settings = read<[], { key: string; value: string }>('SELECT key, value FROM settings ORDER BY key');
const jobs = read<[], object>(
  `SELECT id, kind, state, files_done, files_total, bytes_done, bytes_total, created_at, started_at, ended_at FROM jobs ORDER BY id DESC LIMIT 200`,
);
const fetches = read<[], object>(
  `SELECT id, what, state, reason, attempts, retry_at, files_done, files_total, bytes_done, bytes_verified, bytes_total, active_ms, created_at, started_at, ended_at
   FROM fetches ORDER BY id DESC LIMIT 200`,
);

/** Reads the columns of single rows that may leave the machine. */
export function diagnosticsStore(database: Database): DiagnosticsStore {
  return {
    settings: async () => (await database.all(settings)).map(({ key, value }) => [key, value] as const),
    jobs: async () => database.all(jobs),
    fetches: async () => database.all(fetches),
  };
}
