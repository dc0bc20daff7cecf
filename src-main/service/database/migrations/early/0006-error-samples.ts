import type { SqliteMigration } from './migration.ts';

/**
 * The common parts of the events of a group, so that each event is stored as its difference from
 * them. Older events stay as they are stored.
 */
export const errorSamples: SqliteMigration = {
  number: 6,
  name: 'error-samples',
  sql: `
-- An event of the group as JSON, compressed; see errors/stored-event.ts.
CREATE TABLE error_samples (
  group_id INTEGER PRIMARY KEY REFERENCES error_groups (id) ON DELETE CASCADE,
  payload BLOB NOT NULL
) STRICT;
`,
};
