import type { Migration } from './early/migration.ts';

/** Whether a lease is that of a replica; commands have one for the jobs that they run. */
export const leasesOfCommands: Migration = {
  number: 23,
  name: 'leases-of-commands',
  sql: 'ALTER TABLE replicas ADD COLUMN serves INTEGER NOT NULL DEFAULT 1;',
  postgres: 'ALTER TABLE replicas ADD COLUMN serves bigint NOT NULL DEFAULT 1;',
};
