import type Database from 'better-sqlite3';

export interface MeasurementNumbers {
  readonly storage: string;
  readonly state: string;
  readonly count: number;
  readonly files: number;
  readonly bytes: number;
}

/** Number of rows with a state; of jobs also by kind. */
export interface StateNumbers {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
}

export interface StoredNumbersStore {
  measurements(): Promise<readonly MeasurementNumbers[]>;
  fetches(): Promise<readonly StateNumbers[]>;
  jobs(): Promise<readonly StateNumbers[]>;
  /** Number of rows per table. */
  rows(): Promise<readonly (readonly [table: string, rows: number])[]>;
  /** Version of the tables, and unused bytes in the database file. */
  file(): Promise<{ readonly version: number; readonly freeBytes: number }>;
}

/**
 * Counted with count(*), for which SQLite reads the pages of the smallest index: some milliseconds
 * for a million rows.
 */
const counted = [
  'users',
  'sessions',
  'personal_access_tokens',
  'oauth_applications',
  'oauth_grants',
  'oauth_tokens',
  'projects',
  'client_keys',
  'errors',
  'error_groups',
  'error_events',
  'release_sessions',
  'source_maps',
  'measurements',
  'grants',
  'jobs',
  'remote_servers',
  'fetches',
];
/**
 * Too large to count; as only the oldest rows are ever removed, the first and the last id give the
 * number.
 */
const numbered = ['transfers', 'audit_events', 'downloads'];

/** Numbers about stored data, without any names, in SQLite. */
export function storedNumbersStore(database: Database.Database): StoredNumbersStore {
  const measurements = database.prepare<[], MeasurementNumbers>(
    'SELECT storage, state, count(*) AS count, sum(file_count) AS files, sum(total_bytes) AS bytes FROM measurements GROUP BY storage, state',
  );
  const fetches = database.prepare<[], StateNumbers>(
    `SELECT 'fetch' AS kind, state, count(*) AS count FROM fetches GROUP BY state`,
  );
  const jobs = database.prepare<[], StateNumbers>(
    'SELECT kind, state, count(*) AS count FROM jobs GROUP BY kind, state',
  );
  const rows = database.prepare<[], { name: string; rows: number }>(
    [
      ...counted.map((table) => `SELECT '${table}' AS name, count(*) AS rows FROM ${table}`),
      ...numbered.map(
        (table) => `SELECT '${table}', ifnull((SELECT max(id) FROM ${table}) - (SELECT min(id) FROM ${table}) + 1, 0)`,
      ),
      `SELECT 'measurement_files', ifnull(sum(file_count), 0) FROM measurements`,
    ].join(' UNION ALL '),
  );
  const pragma = (name: string) => Number(database.pragma(name, { simple: true }));
  return {
    measurements: async () => measurements.all(),
    fetches: async () => fetches.all(),
    jobs: async () => jobs.all(),
    rows: async () => rows.all().map((row) => [row.name, row.rows] as const),
    file: async () => ({ version: pragma('user_version'), freeBytes: pragma('freelist_count') * pragma('page_size') }),
  };
}
