import type { Migration } from './early/migration.ts';

/** Measurements whose archive is an object of an object storage. */
export const storedObjects: Migration = {
  number: 26,
  name: 'stored-objects',
  sql: `
-- Null for files that lie in a folder; otherwise their places are empty.
ALTER TABLE measurements ADD COLUMN object_key TEXT;

-- The CRC-32 of each block of 4 MiB of the archive, 1024 blocks a row, 32 bits little-endian each.
CREATE TABLE object_blocks (
  measurement_id TEXT NOT NULL REFERENCES measurements (id) ON DELETE CASCADE,
  page INTEGER NOT NULL,
  sums BLOB NOT NULL,
  PRIMARY KEY (measurement_id, page)
) STRICT;

-- Objects of measurements that were removed, kept for a while.
CREATE TABLE removed_objects (
  object_key TEXT PRIMARY KEY,
  measurement_id TEXT NOT NULL,
  length INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_objects_by_time ON removed_objects (removed_at);
`,
  postgres: `
-- Null for files that lie in a folder; otherwise their places are empty.
ALTER TABLE measurements ADD COLUMN object_key text COLLATE "C";

-- The CRC-32 of each block of 4 MiB of the archive, 1024 blocks a row, 32 bits little-endian each.
CREATE TABLE object_blocks (
  measurement_id text COLLATE "C" NOT NULL REFERENCES measurements (id) ON DELETE CASCADE,
  page bigint NOT NULL,
  sums bytea NOT NULL,
  PRIMARY KEY (measurement_id, page)
);

-- Objects of measurements that were removed, kept for a while.
CREATE TABLE removed_objects (
  object_key text COLLATE "C" PRIMARY KEY,
  measurement_id text COLLATE "C" NOT NULL,
  length bigint NOT NULL,
  removed_at bigint NOT NULL
);
CREATE INDEX removed_objects_by_time ON removed_objects (removed_at);
`,
};
