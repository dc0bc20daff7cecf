import type { Migration } from './early/migration.ts';

/**
 * Which replica sends a transfer or runs a job, so that others can end or continue what a dead one
 * left. Always null on SQLite, where one process serves.
 */
export const workOfReplicas: Migration = {
  number: 21,
  name: 'work-of-replicas',
  sql: `
ALTER TABLE transfers ADD COLUMN replica_id INTEGER;
ALTER TABLE downloads ADD COLUMN replica_id INTEGER;
ALTER TABLE jobs ADD COLUMN replica_id INTEGER;
`,
  postgres: `
ALTER TABLE transfers ADD COLUMN replica_id bigint;
ALTER TABLE downloads ADD COLUMN replica_id bigint;
ALTER TABLE jobs ADD COLUMN replica_id bigint;
CREATE INDEX transfers_running ON transfers (replica_id) WHERE ended_at IS NULL;
CREATE INDEX jobs_of_replica ON jobs (replica_id) WHERE replica_id IS NOT NULL;
`,
};
