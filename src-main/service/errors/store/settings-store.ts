import type { Database } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';

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
  /** The addresses of all external backends. */
  apiUrls(): Promise<readonly string[]>;
  /** Returns the bytes that a project's stored events take, as far as they have been counted. */
  storedBytes(projectId: number): Promise<number>;
}

const of = read<[number], ErrorSettingsRow>('SELECT * FROM error_tracking_settings WHERE project_id = ?');
const apiUrls = readValue<[], string>(
  'SELECT DISTINCT api_url FROM error_tracking_settings WHERE api_url IS NOT NULL ORDER BY api_url',
);
const put = write<ErrorSettingsRow>(
  `INSERT INTO error_tracking_settings
     (project_id, active, integrated, api_url, sealed_token, project_name, organization_name, retention_days, most_events, max_bytes)
   VALUES (@project_id, @active, @integrated, @api_url, @sealed_token, @project_name, @organization_name, @retention_days, @most_events, @max_bytes)
   ON CONFLICT (project_id) DO UPDATE SET active = excluded.active, integrated = excluded.integrated, api_url = excluded.api_url,
     sealed_token = excluded.sealed_token, project_name = excluded.project_name, organization_name = excluded.organization_name,
     retention_days = excluded.retention_days, most_events = excluded.most_events, max_bytes = excluded.max_bytes`,
);
const storedBytes = readValue<[number], number>(
  'SELECT ifnull(sum(stored_bytes), 0) FROM error_groups WHERE project_id = ?',
);

/** Error tracking settings. */
export function errorSettingsStore(database: Database): ErrorSettingsStore {
  return {
    of: async (projectId) => database.one(of, projectId),
    put: async (row) => void (await database.run(put, row)),
    apiUrls: async () => database.all(apiUrls),
    storedBytes: async (projectId) => (await database.one(storedBytes, projectId)) ?? 0,
  };
}
