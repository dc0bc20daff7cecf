import type { Migration } from './migration.ts';

const sql = (integer: string): string => `
-- The most bytes that a user, or the measurements of a project, may take; null without a limit.
ALTER TABLE users ADD COLUMN quota_bytes ${integer};
ALTER TABLE projects ADD COLUMN quota_bytes ${integer};
-- What an upload takes once it is registered, where that is known and another number than its length.
ALTER TABLE uploads ADD COLUMN reserved_bytes ${integer};
CREATE INDEX uploads_of_project ON uploads (project_id) WHERE project_id IS NOT NULL;
`;

/** Limits of what is uploaded. */
export const quotas: Migration = {
  number: 28,
  name: 'quotas',
  sql: sql('INTEGER'),
  postgres: sql('bigint'),
};
