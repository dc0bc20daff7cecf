import type Database from 'better-sqlite3';

export interface DiagnosticsStore {
  settings(): Promise<readonly (readonly [key: string, value: string])[]>;
  /** Returns the newest first, without their subjects and owners. */
  jobs(): Promise<readonly object[]>;
  fetches(): Promise<readonly object[]>;
}

/** Reads the columns of single rows that may leave the machine, in SQLite. */
export function diagnosticsStore(database: Database.Database): DiagnosticsStore {
  const settings = database.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings ORDER BY key');
  const jobs = database.prepare<[], object>(
    `SELECT id, kind, state, files_done, files_total, bytes_done, bytes_total, created_at, started_at, ended_at FROM jobs ORDER BY id DESC LIMIT 200`,
  );
  const fetches = database.prepare<[], object>(
    `SELECT id, what, state, reason, attempts, retry_at, files_done, files_total, bytes_done, bytes_verified, bytes_total, active_ms, created_at, started_at, ended_at
     FROM fetches ORDER BY id DESC LIMIT 200`,
  );
  return {
    settings: async () => settings.all().map(({ key, value }) => [key, value] as const),
    jobs: async () => jobs.all(),
    fetches: async () => fetches.all(),
  };
}
