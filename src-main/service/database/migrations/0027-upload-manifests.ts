import type { Migration } from './migration.ts';

/** Uploads that began with a manifest, from which the bytes of their archive follow. */
export const uploadManifests: Migration = {
  number: 27,
  name: 'upload-manifests',
  sql: `
-- Null for uploads without a manifest.
ALTER TABLE uploads ADD COLUMN archive_tag TEXT;
ALTER TABLE uploads ADD COLUMN file_count INTEGER;
ALTER TABLE uploads ADD COLUMN directory_offset INTEGER;
`,
  postgres: `
-- Null for uploads without a manifest.
ALTER TABLE uploads ADD COLUMN archive_tag text COLLATE "C";
ALTER TABLE uploads ADD COLUMN file_count bigint;
ALTER TABLE uploads ADD COLUMN directory_offset bigint;
`,
};
