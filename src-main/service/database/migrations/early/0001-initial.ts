import type { SqliteMigration } from './migration.ts';

/** Accounts, tokens, projects, measurements with their frozen files, grants, jobs and the audit trail. */
export const initial: SqliteMigration = {
  number: 1,
  name: 'initial',
  sql: `
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  email TEXT COLLATE NOCASE UNIQUE,
  password_hash TEXT,
  is_admin INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'blocked')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  address TEXT,
  user_agent TEXT
) STRICT;
CREATE INDEX sessions_of_user ON sessions (user_id);

CREATE TABLE personal_access_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  scopes TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  last_used_address TEXT
) STRICT;
CREATE INDEX tokens_of_user ON personal_access_tokens (user_id);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE project_members (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('reporter', 'developer', 'maintainer', 'owner')),
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX projects_of_user ON project_members (user_id);

-- Times of measurements, jobs and audit rows are milliseconds since 1970, UTC.
CREATE TABLE measurements (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  storage TEXT NOT NULL CHECK (storage IN ('reference', 'library')),
  -- The folder that referenced files lie in; for the library, where the files came from.
  root TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('registering', 'available', 'degraded')),
  file_count INTEGER NOT NULL DEFAULT 0,
  total_bytes INTEGER NOT NULL DEFAULT 0,
  problem_count INTEGER NOT NULL DEFAULT 0,
  -- The archive is a pure function of the manifest; see archive/layout.ts.
  archive_layout INTEGER NOT NULL DEFAULT 1,
  archive_bytes INTEGER NOT NULL DEFAULT 0,
  archive_directory_offset INTEGER NOT NULL DEFAULT 0,
  archive_tag TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  registered_at INTEGER,
  verified_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX measurements_by_time ON measurements (created_at);

CREATE TABLE measurement_files (
  measurement_id TEXT NOT NULL REFERENCES measurements (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  path TEXT NOT NULL,
  -- Where the bytes are: below measurements.root for a reference, below the library folder otherwise.
  location TEXT NOT NULL,
  length INTEGER NOT NULL,
  crc32 INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  -- Modification time of the bytes on disk, nanoseconds as text: a Number would lose digits.
  mtime_ns TEXT NOT NULL,
  registered_at INTEGER NOT NULL,
  -- Offset of the local header in the archive, and of the central directory entry from the start of the directory.
  archive_offset INTEGER NOT NULL,
  directory_offset INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'ok' CHECK (state IN ('ok', 'altered', 'missing', 'unreadable')),
  problem TEXT,
  checked_at INTEGER,
  PRIMARY KEY (measurement_id, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX files_by_archive_offset ON measurement_files (measurement_id, archive_offset);
CREATE INDEX files_with_problems ON measurement_files (measurement_id, idx) WHERE state <> 'ok';
CREATE INDEX files_by_location ON measurement_files (location);

CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  measurement_id TEXT NOT NULL REFERENCES measurements (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  everyone INTEGER NOT NULL DEFAULT 0,
  until INTEGER,
  created_at INTEGER NOT NULL,
  created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  CHECK ((user_id IS NOT NULL) + (project_id IS NOT NULL) + everyone = 1)
) STRICT;
CREATE UNIQUE INDEX grants_of_measurement ON grants (measurement_id, ifnull(user_id, 0), ifnull(project_id, 0), everyone);

-- Work that outlives a request: registration, verification, export, staging for a drag.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('register', 'verify', 'export', 'stage')),
  measurement_id TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  parameters TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'done', 'failed', 'cancelled')),
  files_done INTEGER NOT NULL DEFAULT 0,
  files_total INTEGER NOT NULL DEFAULT 0,
  bytes_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL DEFAULT 0,
  message TEXT,
  result TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state);

-- What a registration that is under way found in its source: a restart goes on at the first file that has no row in measurement_files yet.
CREATE TABLE registration_files (
  job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  path TEXT NOT NULL,
  source TEXT NOT NULL,
  length INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  PRIMARY KEY (job_id, idx)
) STRICT, WITHOUT ROWID;

-- One row for each transfer of a measurement. ended_at is null while it runs, and stays so if the service was killed.
CREATE TABLE transfers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  user_id INTEGER,
  token_id INTEGER,
  address TEXT,
  measurement_id TEXT NOT NULL,
  what TEXT NOT NULL CHECK (what IN ('manifest', 'file', 'archive')),
  file_index INTEGER,
  range TEXT,
  status INTEGER NOT NULL,
  bytes_sent INTEGER NOT NULL DEFAULT 0,
  -- complete, client-closed, revoked, file-changed, read-error, checksum-mismatch, stalled, stopped
  outcome TEXT,
  user_agent TEXT
) STRICT;
CREATE INDEX transfers_of_measurement ON transfers (measurement_id, id);

-- Everything else worth knowing later: who made, granted, revoked, removed what; what was found damaged.
CREATE TABLE audit_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  user_id INTEGER,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT
) STRICT;
CREATE INDEX audit_by_subject ON audit_events (subject, id);
`,
};
