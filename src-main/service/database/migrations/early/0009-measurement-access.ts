import type { SqliteMigration } from './migration.ts';

/** Stands for no end of a grant: larger than any time in milliseconds. */
const never = 9_007_199_254_740_991;

const reader = `CASE WHEN everyone = 1 THEN 1 WHEN user_id IS NOT NULL THEN 2 * user_id ELSE 2 * project_id + 1 END`;

/**
 * Inserts the readers of measurements: all users, the owner, and the users of a grant; `which` and
 * `readers` narrow both.
 */
export function insertReaders(which: string, readers = 'TRUE'): string {
  return `INSERT INTO measurement_access (measurement_id, reader, until, created_at, title_key, total_bytes, file_count, state)
  SELECT id, reader, max(until), created_at, title_key, total_bytes, file_count, state
  FROM (
    SELECT id AS subject, 0 AS reader, ${never} AS until FROM measurements WHERE ${which}
    UNION ALL SELECT id, 2 * owner_id, ${never} FROM measurements WHERE ${which}
    UNION ALL SELECT measurement_id, ${reader}, ifnull(until, ${never}) FROM grants WHERE ${which.replaceAll(/\bid\b(?= =)/g, 'measurement_id')}
  ) JOIN measurements ON id = subject
  WHERE state <> 'registering' AND ${readers} GROUP BY id, reader;`;
}

const replaceOne = (row: 'old' | 'new') => {
  const whom = reader.replaceAll(/\b(everyone|user_id|project_id)\b/g, `${row}.$1`);
  return `DELETE FROM measurement_access WHERE measurement_id = ${row}.measurement_id AND reader = ${whom};
  ${insertReaders(`id = ${row}.measurement_id`, `reader = ${whom}`)}`;
};

const sortIndexes = (['created_at', 'title_key', 'total_bytes', 'file_count', 'state'] as const)
  .map(
    (column) =>
      `CREATE INDEX measurement_access_by_${column} ON measurement_access (reader, ${column}, measurement_id, until);`,
  )
  .join('\n');

/**
 * The readers of each measurement, as rows with an index and with the columns that lists are sorted
 * by; titles and names in a form that sorts and is searched without regard to case; and the index
 * of searches, which is filled for existing rows while the service runs
 * (measurements/access-upkeep-store.ts).
 */
export const measurementAccess: SqliteMigration = {
  number: 9,
  name: 'measurement-access',
  sql: `
-- folded_key of the title, written with it.
ALTER TABLE measurements ADD COLUMN title_key TEXT NOT NULL DEFAULT '';
UPDATE measurements SET title_key = folded_key(title);
-- What the index of searches calls a measurement.
ALTER TABLE measurements ADD COLUMN number INTEGER;
UPDATE measurements SET number = numbered.number FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS number FROM measurements) AS numbered WHERE numbered.id = measurements.id;
CREATE UNIQUE INDEX measurements_by_number ON measurements (number);

-- reader: 0 for administrators, who may read all; 1 for everyone; 2 * id of a user, as owner or by a grant; 2 * id + 1 of a project.
-- until: the first millisecond in which it no longer holds, ${never} without end.
-- The other columns are those of the measurement.
CREATE TABLE measurement_access (
  measurement_id TEXT NOT NULL REFERENCES measurements (id) ON DELETE CASCADE,
  reader INTEGER NOT NULL,
  until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  title_key TEXT NOT NULL,
  total_bytes INTEGER NOT NULL,
  file_count INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (measurement_id, reader)
) STRICT, WITHOUT ROWID;
${insertReaders('TRUE')}
${sortIndexes}
-- Ids are ASCII.
CREATE INDEX measurement_access_by_id ON measurement_access (reader, lower(measurement_id), measurement_id, until);
CREATE INDEX measurement_access_by_end ON measurement_access (until) WHERE until < ${never};
CREATE INDEX grants_of_user ON grants (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX grants_of_project ON grants (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX grants_by_end ON grants (until) WHERE until IS NOT NULL;
-- The audit trail by what it is filtered by, the newest last.
DROP INDEX audit_by_user;
DROP INDEX audit_by_action;
CREATE INDEX audit_by_time ON audit_events (at);
CREATE INDEX audit_by_user_time ON audit_events (user_id, at);
CREATE INDEX audit_by_action_time ON audit_events (action, at);
CREATE INDEX audit_by_user_action_time ON audit_events (user_id, action, at);

CREATE INDEX measurements_by_lower_id ON measurements (lower(id));
CREATE INDEX measurements_of_owner ON measurements (owner_id);

-- Indexes of searches that do not hold all older rows yet: the rows of a table are filled in by number.
CREATE TABLE search_fills (
  name TEXT PRIMARY KEY,
  filled_to INTEGER NOT NULL,
  complete INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO search_fills VALUES ('measurements', 0, NOT EXISTS (SELECT 1 FROM measurements));

CREATE VIRTUAL TABLE measurement_search USING fts5 (text, content='', contentless_delete=1, detail='none', tokenize='trigram case_sensitive 1');

CREATE TRIGGER measurement_added AFTER INSERT ON measurements BEGIN
  UPDATE measurements SET number = (SELECT ifnull(max(number), 0) + 1 FROM measurements) WHERE id = new.id;
  INSERT INTO measurement_search (rowid, text) SELECT number, lower(id) || char(10) || title_key FROM measurements WHERE id = new.id;
  ${insertReaders('id = new.id')}
END;
CREATE TRIGGER measurement_renamed AFTER UPDATE OF title_key ON measurements WHEN old.title_key <> new.title_key BEGIN
  INSERT OR REPLACE INTO measurement_search (rowid, text) VALUES (new.number, lower(new.id) || char(10) || new.title_key);
END;
CREATE TRIGGER measurement_changed AFTER UPDATE OF owner_id, created_at, title_key, total_bytes, file_count, state ON measurements
  WHEN (old.owner_id, old.created_at, old.title_key, old.total_bytes, old.file_count, old.state)
    <> (new.owner_id, new.created_at, new.title_key, new.total_bytes, new.file_count, new.state)
BEGIN
  DELETE FROM measurement_access WHERE measurement_id = new.id;
  ${insertReaders('id = new.id')}
END;
CREATE TRIGGER measurement_removed AFTER DELETE ON measurements BEGIN
  DELETE FROM measurement_search WHERE rowid = old.number;
END;
CREATE TRIGGER grant_added AFTER INSERT ON grants BEGIN
  ${replaceOne('new')}
END;
CREATE TRIGGER grant_changed AFTER UPDATE ON grants BEGIN
  ${replaceOne('old')}
  ${replaceOne('new')}
END;
CREATE TRIGGER grant_removed AFTER DELETE ON grants BEGIN
  ${replaceOne('old')}
END;
`,
};
