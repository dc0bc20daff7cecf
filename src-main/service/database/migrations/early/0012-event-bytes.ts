import type { SqliteMigration } from './migration.ts';

/**
 * The bytes of events by group, and when the last one was received; first and last seen follow the
 * events' own times from here on.
 */
export const eventBytes: SqliteMigration = {
  number: 12,
  name: 'event-bytes',
  sql: `
-- By the service's clock, for retention; first_seen and last_seen are by the events' own times.
ALTER TABLE error_groups ADD COLUMN last_received INTEGER NOT NULL DEFAULT 0;
UPDATE error_groups SET last_received = last_seen;
-- What stored events and the sample take; null until it has been counted, for groups of before this column.
ALTER TABLE error_groups ADD COLUMN stored_bytes INTEGER;
-- Bytes of events that the project keeps, if fewer or more than usual.
ALTER TABLE error_tracking_settings ADD COLUMN max_bytes INTEGER;
`,
};
