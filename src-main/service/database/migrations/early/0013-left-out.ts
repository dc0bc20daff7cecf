import type { SqliteMigration } from './migration.ts';

/** Names of files that a registration left out because they cannot be registered. */
export const leftOut: SqliteMigration = {
  number: 13,
  name: 'left-out',
  sql: `
CREATE TABLE measurement_left_out (
  measurement_id TEXT PRIMARY KEY REFERENCES measurements (id) ON DELETE CASCADE,
  total INTEGER NOT NULL,
  -- JSON: the first ten thousand, each with its reason.
  names TEXT NOT NULL
) STRICT;
`,
};
