import type { SqliteMigration } from './migration.ts';

/**
 * The journal of fetching: the fetches, their files, and the bytes of each file that are on disk.
 * `benchport download` keeps these tables in a separate file beside its target.
 */
export const fetchTables = `
CREATE TABLE fetches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The server may have been removed since; its address stays.
  server_id INTEGER,
  base_url TEXT NOT NULL,
  measurement_id TEXT NOT NULL,
  title TEXT,
  what TEXT NOT NULL CHECK (what IN ('files', 'archive')),
  -- JSON array of indices; null is all of them.
  chosen TEXT,
  -- Absolute path of the folder under which everything lies; nothing is ever written outside of it.
  target TEXT NOT NULL,
  unpack INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'asking', 'paused', 'done', 'failed', 'cancelled')),
  reason TEXT,
  message TEXT,
  priority INTEGER NOT NULL DEFAULT 0 CHECK (priority IN (-1, 0, 1)),
  -- Place among those of the same priority; the smallest comes first.
  position REAL NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER,
  -- SHA-256 of the manifest's files as first read: it must not change midway.
  manifest_digest BLOB,
  files_total INTEGER,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER,
  -- On disk, and of these: proven by checksum.
  bytes_done INTEGER NOT NULL DEFAULT 0,
  bytes_verified INTEGER NOT NULL DEFAULT 0,
  active_ms INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  verified_at INTEGER
) STRICT;
CREATE INDEX fetches_in_order ON fetches (state, priority DESC, position);
-- One fetch at a time writes into a folder.
CREATE INDEX fetches_by_target ON fetches (target);
CREATE INDEX fetches_by_end ON fetches (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE fetch_files (
  fetch_id INTEGER NOT NULL REFERENCES fetches (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  -- As the manifest names it, checked; also the path below the target.
  path TEXT NOT NULL,
  href TEXT,
  -- Null: the server does not say.
  length INTEGER,
  crc32 INTEGER,
  sha256 BLOB,
  -- Strong entity tag of the bytes on disk.
  etag TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'partial', 'done', 'failed')),
  -- Done without fetching: it was there and right.
  skipped INTEGER NOT NULL DEFAULT 0,
  -- How often it was fetched from scratch because its checksum was wrong.
  restarts INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  message TEXT,
  verified_at INTEGER,
  PRIMARY KEY (fetch_id, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX fetch_files_open ON fetch_files (fetch_id, state, idx) WHERE state <> 'done';

-- Byte ranges of a partial file that are on disk: first byte and the one after the last. Neighbours are merged.
CREATE TABLE fetch_pieces (
  fetch_id INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  PRIMARY KEY (fetch_id, idx, start),
  FOREIGN KEY (fetch_id, idx) REFERENCES fetch_files (fetch_id, idx) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE fetch_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  fetch_id INTEGER NOT NULL REFERENCES fetches (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('info', 'warn', 'error')),
  message TEXT NOT NULL
) STRICT;
CREATE INDEX fetch_log_of ON fetch_log (fetch_id, id);
`;

export const fetching: SqliteMigration = {
  number: 4,
  name: 'fetching',
  sql: `
CREATE TABLE remote_servers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  base_url TEXT NOT NULL UNIQUE,
  -- Sealed for this server and its origin.
  token BLOB,
  -- SHA-256 of the one certificate that is trusted; null: the usual authorities.
  certificate BLOB,
  speed_limit INTEGER,
  connections INTEGER,
  state TEXT NOT NULL DEFAULT 'untested' CHECK (state IN ('untested', 'ok', 'failed')),
  problem TEXT,
  -- What was wrong, in words, with what the server showed then.
  message TEXT,
  -- Whether it answers our list of measurements; null: not known yet.
  lists INTEGER,
  username TEXT,
  checked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
${fetchTables}
-- Who fetches from us, over all measurements.
CREATE INDEX transfers_by_time ON transfers (started_at);
`,
};
