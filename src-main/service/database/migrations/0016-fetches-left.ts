import type { Migration } from './migration.ts';

/** What is left of the queue is added up once a second while something runs: without this, each row would be read with its list of chosen files. */
export const fetchesLeft: Migration = {
  number: 16,
  name: 'fetches-left',
  sql: `
CREATE INDEX fetches_left ON fetches (state, ended_at, bytes_total, bytes_done) WHERE state IN ('queued', 'waiting');
`,
};
