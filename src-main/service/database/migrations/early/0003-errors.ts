import type { SqliteMigration } from './migration.ts';

/** Error tracking: settings, client keys, errors with their groups, events, users affected, bars, tags, releases and their sessions, source maps. */
export const errors: SqliteMigration = {
  number: 3,
  name: 'errors',
  sql: `
-- All times are milliseconds since 1970, UTC.

-- Whether the project has the screens under Monitor at all.
ALTER TABLE projects ADD COLUMN monitor INTEGER NOT NULL DEFAULT 1;

CREATE TABLE error_tracking_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  active INTEGER NOT NULL,
  integrated INTEGER NOT NULL,
  -- The external backend: https://host/api/0/projects/ORGANISATION/PROJECT, and its token, sealed for exactly this origin.
  api_url TEXT,
  sealed_token BLOB,
  project_name TEXT,
  organization_name TEXT,
  -- Retention, if shorter than the installation's.
  retention_days INTEGER,
  most_events INTEGER
) STRICT;

CREATE TABLE client_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- Shown again and again as part of the DSN, so it is kept as it is. It lets its holder send errors and nothing else.
  public_key TEXT NOT NULL UNIQUE,
  active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  events INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX client_keys_of_project ON client_keys (project_id);

-- What people see as one error. Its counters are those of its groups together; they count what was received, not what is still stored.
CREATE TABLE errors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  status TEXT NOT NULL DEFAULT 'unresolved' CHECK (status IN ('unresolved', 'resolved', 'ignored')),
  -- After the newest event: type and value of the exception, or the message.
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  culprit TEXT NOT NULL,
  level TEXT NOT NULL,
  platform TEXT NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  events INTEGER NOT NULL,
  users INTEGER NOT NULL DEFAULT 0,
  first_release TEXT,
  last_release TEXT,
  resolved_at INTEGER,
  -- When a resolved error came back; null when it was resolved again or never came back.
  regressed_at INTEGER
) STRICT;
CREATE INDEX errors_by_last_seen ON errors (project_id, status, last_seen DESC, id);
CREATE INDEX errors_by_first_seen ON errors (project_id, status, first_seen DESC, id);
CREATE INDEX errors_by_events ON errors (project_id, status, events DESC, id);
CREATE INDEX errors_by_users ON errors (project_id, status, users DESC, id);

-- What the grouping rules hold for the same; merging points groups to another error, and unmerging back.
CREATE TABLE error_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  error_id INTEGER NOT NULL REFERENCES errors (id) ON DELETE CASCADE,
  -- Version of the rules, and the digest of what they made of the event.
  version INTEGER NOT NULL,
  key_hash BLOB NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  events INTEGER NOT NULL,
  first_event_id INTEGER,
  first_release TEXT,
  last_release TEXT,
  UNIQUE (project_id, version, key_hash)
) STRICT;
CREATE INDEX error_groups_of_error ON error_groups (error_id);

CREATE TABLE error_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL REFERENCES error_groups (id) ON DELETE CASCADE,
  event_id BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  -- By the sender's clock, corrected by its drift.
  occurred_at INTEGER NOT NULL,
  level TEXT NOT NULL,
  environment TEXT,
  release TEXT,
  -- The normalised event as JSON, compressed; see errors/stored-event.ts.
  payload BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX error_events_by_event_id ON error_events (project_id, event_id);
CREATE INDEX error_events_of_group ON error_events (group_id, id);

-- Everybody whom a group has hit, for an exact count that outlives the events: a keyed digest of id, name, e-mail or address.
CREATE TABLE error_users (
  group_id INTEGER NOT NULL REFERENCES error_groups (id) ON DELETE CASCADE,
  user_hash BLOB NOT NULL,
  PRIMARY KEY (group_id, user_hash)
) STRICT, WITHOUT ROWID;

-- Events by hour, for the bars of 24 hours and 14 days.
CREATE TABLE error_hours (
  group_id INTEGER NOT NULL REFERENCES error_groups (id) ON DELETE CASCADE,
  -- Hours since 1970, by received time.
  hour INTEGER NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (group_id, hour)
) STRICT, WITHOUT ROWID;

-- Tags with how often each value came, for the distribution and for the search; environment, release and level among them.
CREATE TABLE error_tags (
  group_id INTEGER NOT NULL REFERENCES error_groups (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  value TEXT NOT NULL,
  events INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  PRIMARY KEY (group_id, tag, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX error_tags_by_value ON error_tags (tag, value, group_id);

-- Sessions by release and day (SDK item types session and sessions).
CREATE TABLE release_days (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- Days since 1970, UTC.
  day INTEGER NOT NULL,
  sessions INTEGER NOT NULL DEFAULT 0,
  crashed INTEGER NOT NULL DEFAULT 0,
  abnormal INTEGER NOT NULL DEFAULT 0,
  errored INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, release, environment, day)
) STRICT, WITHOUT ROWID;

-- The state of single sessions, because their updates come one by one and may come twice.
CREATE TABLE release_sessions (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  session_id BLOB NOT NULL,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  day INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL,
  errored INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_sessions_by_time ON release_sessions (received_at);

CREATE TABLE release_users (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  day INTEGER NOT NULL,
  user_hash BLOB NOT NULL,
  crashed INTEGER NOT NULL,
  PRIMARY KEY (project_id, release, environment, day, user_hash)
) STRICT, WITHOUT ROWID;

-- What was received and not stored, and why, by hour: rate limits, sizes, item types that are only counted, filters.
CREATE TABLE ingest_counts (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_maps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  release TEXT,
  debug_id TEXT,
  -- The name of the generated file as frames give it, such as ~/app.min.js.
  name TEXT NOT NULL,
  uploaded_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  -- Compressed.
  content BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX source_maps_by_name ON source_maps (project_id, ifnull(release, ''), name);
CREATE INDEX source_maps_by_debug_id ON source_maps (project_id, debug_id);
`,
};
