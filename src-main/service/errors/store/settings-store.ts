import type Database from 'better-sqlite3';

/** Stored error tracking settings of a project. */
export interface ErrorSettingsRow {
  readonly project_id: number;
  readonly active: 0 | 1;
  readonly integrated: 0 | 1;
  readonly api_url: string | null;
  /** Sealed for exactly the origin of `api_url` (external/auth-token.ts). */
  readonly sealed_token: Buffer | null;
  readonly project_name: string | null;
  readonly organization_name: string | null;
  readonly retention_days: number | null;
  readonly most_events: number | null;
  readonly max_bytes: number | null;
}

export interface ErrorSettingsStore {
  /** @returns null for a project whose settings were never changed. */
  of(projectId: number): Promise<ErrorSettingsRow | null>;
  put(row: ErrorSettingsRow): Promise<void>;
  /** Returns the bytes that a project's stored events take, as far as they have been counted. */
  storedBytes(projectId: number): Promise<number>;
}

/** Error tracking settings in SQLite. */
export function errorSettingsStore(database: Database.Database): ErrorSettingsStore {
  const of = database.prepare<[number], ErrorSettingsRow>('SELECT * FROM error_tracking_settings WHERE project_id = ?');
  const put = database.prepare<[ErrorSettingsRow]>(
    `INSERT OR REPLACE INTO error_tracking_settings
       (project_id, active, integrated, api_url, sealed_token, project_name, organization_name, retention_days, most_events, max_bytes)
     VALUES (@project_id, @active, @integrated, @api_url, @sealed_token, @project_name, @organization_name, @retention_days, @most_events, @max_bytes)`,
  );
  const storedBytes = database
    .prepare<[number], number>('SELECT ifnull(sum(stored_bytes), 0) FROM error_groups WHERE project_id = ?')
    .pluck();
  return {
    of: async (projectId) => of.get(projectId) ?? null,
    put: async (row) => void put.run(row),
    storedBytes: async (projectId) => storedBytes.get(projectId) ?? 0,
  };
}
