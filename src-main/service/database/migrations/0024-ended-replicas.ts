import type { Migration } from './early/migration.ts';

/** When a replica was taken for dead: until its grace ends, it may still send. */
export const endedReplicas: Migration = {
  number: 24,
  name: 'ended-replicas',
  sql: 'ALTER TABLE replicas ADD COLUMN ended_at INTEGER;',
  postgres: 'ALTER TABLE replicas ADD COLUMN ended_at bigint;',
};
