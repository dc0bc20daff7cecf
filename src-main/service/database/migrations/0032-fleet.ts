import type { Migration } from './early/migration.ts';

const sql = (integer: string, text: string, end: string): string => `
-- Benches that report to this server.
CREATE TABLE benches (
  -- Thumbprint of the key that signs its reports.
  id ${text} NOT NULL PRIMARY KEY,
  user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state ${text} NOT NULL,
  since ${integer} NOT NULL,
  sequence ${integer} NOT NULL,
  first_heard_at ${integer} NOT NULL,
  heard_at ${integer} NOT NULL,
  -- When it was last heard before it was missed.
  missed_since ${integer},
  clock_ahead_ms ${integer} NOT NULL,
  -- The last report, as JSON, and what lists are sorted by.
  report ${text} NOT NULL,
  reported_name ${text} NOT NULL,
  version_key ${text} NOT NULL,
  last_run_at ${integer},
  backlog_bytes ${integer} NOT NULL,
  free_permille ${integer} NOT NULL,
  errors ${integer} NOT NULL,
  -- Whether somebody should look at it, whatever its state.
  has_concern ${integer} NOT NULL,
  -- Times at which it was away without saying so, as JSON.
  absences ${text} NOT NULL DEFAULT '[]',
  -- What administrators set.
  own_name ${text},
  note ${text} NOT NULL DEFAULT '',
  expected ${text} NOT NULL DEFAULT 'usual'
)${end};
CREATE INDEX benches_of_user ON benches (user_id);
CREATE INDEX copies_by_server ON copies (base_url, state);
-- Whether reports are sent to a server that gets copies.
ALTER TABLE remote_servers ADD COLUMN reports ${integer} NOT NULL DEFAULT 1;
`;

/** Benches of a server, and on a bench whether it reports. */
export const fleet: Migration = {
  number: 32,
  name: 'fleet',
  sql: sql('INTEGER', 'TEXT', ' STRICT'),
  postgres: sql('bigint', 'text COLLATE "C"', ''),
};
