import type { Database } from './port/database.ts';
import { perEngine } from './port/dialect.ts';
import { read } from './port/query.ts';

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
  file(): Promise<FileNumbers>;
}

export interface FileNumbers {
  /** Of the tables. */
  readonly version: number;
  /** Unused in the file of SQLite. */
  readonly freeBytes: number;
  /** Length of a database on PostgreSQL; null on SQLite, whose files lie in the data directory. */
  readonly serverBytes: number | null;
}

/**
 * Counted with count(*), for which SQLite reads the pages of the smallest index: some milliseconds
 * for a million rows. PostgreSQL would read all rows, so its own estimate is given.
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
  'benches',
];
/**
 * Too large to count; as only the oldest rows are ever removed, the first and the last id give the
 * number.
 */
const numbered = ['transfers', 'audit_events', 'downloads'];

const measurements = read<[], MeasurementNumbers>(
  `SELECT storage, state, count(*) AS count, sum(file_count) AS files, sum(total_bytes) AS bytes FROM measurements
   WHERE NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id) GROUP BY storage, state`,
);
const fetches = read<[], StateNumbers>(`SELECT 'fetch' AS kind, state, count(*) AS count FROM fetches GROUP BY state`);
const jobs = read<[], StateNumbers>('SELECT kind, state, count(*) AS count FROM jobs GROUP BY kind, state');
const rowsOf = (table: string): string =>
  perEngine(
    `(SELECT count(*) FROM ${table})`,
    `(SELECT greatest(CAST(reltuples AS bigint), 0) FROM pg_class WHERE oid = '${table}'::regclass)`,
  );
const rows = read<[], { name: string; rows: number }>(
  [
    ...counted.map((table) => `SELECT '${table}' AS name, ${rowsOf(table)} AS rows`),
    ...numbered.map(
      (table) => `SELECT '${table}', ifnull((SELECT max(id) FROM ${table}) - (SELECT min(id) FROM ${table}) + 1, 0)`,
    ),
    `SELECT 'measurement_files', ifnull(sum(file_count), 0) FROM measurements`,
  ].join(' UNION ALL '),
);
const file = read<[], FileNumbers>(
  perEngine(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
       (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size) AS "freeBytes",
       NULL AS "serverBytes"`,
    'SELECT version, 0 AS "freeBytes", pg_database_size(current_database()) AS "serverBytes" FROM schema_version',
  ),
);

/** Numbers about stored data, without any names. */
export function storedNumbersStore(database: Database): StoredNumbersStore {
  return {
    measurements: async () => database.allInBackground(measurements),
    fetches: async () => database.allInBackground(fetches),
    jobs: async () => database.allInBackground(jobs),
    rows: async () => (await database.allInBackground(rows)).map((row) => [row.name, row.rows] as const),
    file: async () => (await database.one(file)) ?? { version: 0, freeBytes: 0, serverBytes: null },
  };
}
