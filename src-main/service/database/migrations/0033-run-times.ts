import type { Migration } from './early/migration.ts';

const sql = (integer: string, end: string): string => `
-- From the first to the last modification of its files; null where no time of a file can be one.
ALTER TABLE measurements ADD COLUMN began_at ${integer};
ALTER TABLE measurements ADD COLUMN ended_at ${integer};
-- The same of an upload with a manifest.
ALTER TABLE uploads ADD COLUMN files_from ${integer};
ALTER TABLE uploads ADD COLUMN files_to ${integer};

-- Events by minute since 1970, by the sender's clock, corrected by its drift (as error_hours).
CREATE TABLE error_minutes (
  group_id ${integer} NOT NULL REFERENCES error_groups (id) ON DELETE CASCADE,
  minute ${integer} NOT NULL,
  events ${integer} NOT NULL,
  PRIMARY KEY (group_id, minute)
)${end};

-- Rows of before: measurements by number from the first one on, events by id from the last one back.
INSERT INTO search_fills SELECT 'measurement-times', 0, CASE WHEN EXISTS (SELECT 1 FROM measurements) THEN 0 ELSE 1 END;
INSERT INTO search_fills SELECT 'error-minutes', ifnull(max(id), 0), CASE WHEN max(id) IS NULL THEN 1 ELSE 0 END FROM error_events;
`;

/** When runs took place, and how many events of each group came in each minute. */
export const runTimes: Migration = {
  number: 33,
  name: 'run-times',
  sql: sql('INTEGER', ' STRICT, WITHOUT ROWID'),
  // Rows that count have room beside them, so that an update stays on its page.
  postgres: sql('bigint', ' WITH (fillfactor = 75)'),
};
