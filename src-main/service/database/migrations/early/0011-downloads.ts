import type { SqliteMigration } from './migration.ts';

/**
 * Downloads as users see them, and fewer rows of transfers. Older transfers stay as they are:
 * adding columns with a default rewrites no row.
 */
export const downloads: SqliteMigration = {
  number: 11,
  name: 'downloads',
  sql: `
-- Texts of User-Agent headers; bounded in number, see audit/user-agents.ts.
CREATE TABLE user_agents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL UNIQUE,
  used_at INTEGER NOT NULL
) STRICT;

-- Rows from before have their text in user_agent.
ALTER TABLE transfers ADD COLUMN user_agent_id INTEGER;
-- Small transfers of a minute share a row.
ALTER TABLE transfers ADD COLUMN requests INTEGER NOT NULL DEFAULT 1;
ALTER TABLE transfers ADD COLUMN download_id INTEGER;

-- Requests of one credential, address and program for one measurement, with little time between them.
CREATE TABLE downloads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  token_id INTEGER,
  application_id INTEGER,
  address TEXT,
  user_agent_id INTEGER,
  measurement_id TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  files_whole INTEGER NOT NULL,
  as_archive INTEGER NOT NULL CHECK (as_archive IN (0, 1)),
  requests INTEGER NOT NULL,
  bytes_sent INTEGER NOT NULL,
  -- running, whole, part, failed, list, handed-over, killed
  outcome TEXT NOT NULL,
  reason TEXT,
  -- Its transfers lie between these.
  first_transfer_id INTEGER NOT NULL,
  last_transfer_id INTEGER NOT NULL
) STRICT;
CREATE INDEX downloads_of_measurement ON downloads (measurement_id, id);
CREATE INDEX downloads_by_time ON downloads (started_at);
CREATE INDEX downloads_running ON downloads (id) WHERE outcome = 'running';
`,
};
