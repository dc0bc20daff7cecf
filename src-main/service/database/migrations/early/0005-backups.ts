import type { SqliteMigration } from './migration.ts';

/**
 * Backups and restorations are jobs too. A CHECK cannot be changed in place, so the table is
 * recreated, and with it the one that refers to it: dropping a table deletes its rows, which would
 * cascade to the rows of running registrations.
 */
export const backups: SqliteMigration = {
  number: 5,
  name: 'backups',
  sql: `
CREATE TABLE new_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('register', 'verify', 'export', 'stage', 'backup', 'restore')),
  -- Empty for what concerns all data.
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
INSERT INTO new_jobs SELECT * FROM jobs;
-- Numbers that were given out once are not given out again.
DELETE FROM sqlite_sequence WHERE name = 'new_jobs';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_jobs', seq FROM sqlite_sequence WHERE name = 'jobs';

CREATE TABLE new_registration_files (
  job_id INTEGER NOT NULL REFERENCES new_jobs (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  path TEXT NOT NULL,
  source TEXT NOT NULL,
  length INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  PRIMARY KEY (job_id, idx)
) STRICT, WITHOUT ROWID;
INSERT INTO new_registration_files SELECT * FROM registration_files;

DROP TABLE registration_files;
DROP TABLE jobs;
ALTER TABLE new_jobs RENAME TO jobs;
ALTER TABLE new_registration_files RENAME TO registration_files;
CREATE INDEX jobs_by_state ON jobs (state);
`,
};
