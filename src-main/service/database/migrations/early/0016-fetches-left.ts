import type { SqliteMigration } from './migration.ts';

/**
 * The bytes left of each fetch: their sum over the queue is computed once a second while something
 * runs, and would otherwise read each row with its list of chosen files.
 */
export const fetchesLeft: SqliteMigration = {
  number: 16,
  name: 'fetches-left',
  sql: `
CREATE INDEX fetches_left ON fetches (state, ended_at, bytes_total, bytes_done) WHERE state IN ('queued', 'waiting');
`,
};
