import type { Migration } from './early/migration.ts';

/**
 * Uploads of measurements. The length received so far is that of the file itself, so that it is
 * never ahead of the bytes.
 */
export const uploads: Migration = {
  number: 25,
  name: 'uploads',
  sql: `
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  measurement_id TEXT NOT NULL,
  title TEXT NOT NULL,
  owner_id INTEGER NOT NULL,
  project_id INTEGER,
  file_name TEXT NOT NULL,
  -- Null until the end of a body without a length.
  length INTEGER,
  created_at INTEGER NOT NULL,
  touched_at INTEGER NOT NULL,
  -- Who writes, and until when without saying so again.
  writer TEXT,
  writer_until INTEGER NOT NULL DEFAULT 0,
  -- When it was whole, or failed.
  ended_at INTEGER,
  job_id INTEGER,
  problem TEXT
) STRICT;
CREATE UNIQUE INDEX uploads_receiving ON uploads (lower(measurement_id)) WHERE ended_at IS NULL;
CREATE INDEX uploads_by_owner ON uploads (owner_id, created_at);
CREATE INDEX uploads_by_touch ON uploads (touched_at);
`,
  postgres: `
CREATE TABLE uploads (
  id text COLLATE "C" PRIMARY KEY,
  measurement_id text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  owner_id bigint NOT NULL,
  project_id bigint,
  file_name text COLLATE "C" NOT NULL,
  -- Null until the end of a body without a length.
  length bigint,
  created_at bigint NOT NULL,
  touched_at bigint NOT NULL,
  -- Who writes, and until when without saying so again.
  writer text COLLATE "C",
  writer_until bigint NOT NULL DEFAULT 0,
  -- When it was whole, or failed.
  ended_at bigint,
  job_id bigint,
  problem text COLLATE "C"
);
CREATE UNIQUE INDEX uploads_receiving ON uploads (lower(measurement_id)) WHERE ended_at IS NULL;
CREATE INDEX uploads_by_owner ON uploads (owner_id, created_at);
CREATE INDEX uploads_by_touch ON uploads (touched_at);
`,
};
