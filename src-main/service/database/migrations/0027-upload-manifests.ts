import type { Migration } from './early/migration.ts';

const sql = (integer: string, text: string): string => `
-- What follows from the manifest of an upload; null for uploads without one.
ALTER TABLE uploads ADD COLUMN archive_tag ${text};
ALTER TABLE uploads ADD COLUMN file_count ${integer};
ALTER TABLE uploads ADD COLUMN directory_offset ${integer};
-- What an upload takes once it is registered, where that is known and another number than its length.
ALTER TABLE uploads ADD COLUMN reserved_bytes ${integer};
CREATE INDEX uploads_of_project ON uploads (project_id) WHERE project_id IS NOT NULL;
-- The most bytes that a user, or the measurements of a project, may take; null without a limit.
ALTER TABLE users ADD COLUMN quota_bytes ${integer};
ALTER TABLE projects ADD COLUMN quota_bytes ${integer};
`;

/** Uploads that begin with a manifest, from which the bytes of their archive follow, and quotas. */
export const uploadManifests: Migration = {
  number: 27,
  name: 'upload-manifests',
  sql: sql('INTEGER', 'TEXT'),
  postgres: sql('bigint', 'text COLLATE "C"'),
};
