import type { Say } from '../options.ts';
import type Database from 'better-sqlite3';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { newPersonalAccessToken } from '../../../src-main/service/tokens/token-format.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';

export interface ListSizes {
  readonly measurements: number;
  readonly transfers: number;
  readonly users: number;
  /** Files of one measurement. */
  readonly files: number;
}

export const listSizes: Readonly<Record<'small' | 'medium' | 'full', ListSizes>> = {
  small: { measurements: 20_000, transfers: 200_000, users: 5000, files: 20_000 },
  medium: { measurements: 100_000, transfers: 1_000_000, users: 100_000, files: 100_000 },
  full: { measurements: 1_000_000, transfers: 10_000_000, users: 100_000, files: 100_000 },
};

/**
 * Users, each with a token: an administrator, the owner of all measurements, and readers of a third
 * each, by one kind of grant.
 */
export interface ListReaders {
  readonly admin: string;
  readonly owner: string;
  readonly direct: string;
  readonly project: string;
  readonly everyone: string;
}

const never = 9_007_199_254_740_991;
const dayMs = 24 * 3600_000;
/** When everything in the database begins: recently, or the service would remove it for its age. */
export const listsBegin = Math.floor(Date.now() / dayMs) * dayMs - 20 * dayMs;
const rowsTogether = 100_000;
const accounts = ['admin', 'owner', 'direct', 'project', 'everyone'] as const;

/**
 * Writes rows by SQL without the indexes and triggers of their tables, which are created again at
 * the end.
 */
export function writeListsDatabase(dataDir: string, sizes: ListSizes, say: Say): ListReaders {
  const database = openDatabase(dataDir);
  try {
    database.pragma('synchronous = OFF');
    database.pragma('cache_size = -400000');
    const made = dropped(database, [
      'measurements',
      'measurement_access',
      'grants',
      'transfers',
      'audit_events',
      'errors',
      'users',
      'jobs',
    ]);
    say('writing users, projects and tokens');
    const tokens = writePeople(database, sizes);
    say(`writing ${sizes.measurements.toLocaleString('en')} measurements`);
    writeMeasurements(database, sizes);
    say(`writing ${sizes.transfers.toLocaleString('en')} transfers`);
    writeTrail(database, sizes);
    writeErrors(database, Math.ceil(sizes.measurements / 10));
    say('making the indexes');
    for (const sql of made) database.exec(sql);
    database.exec('ANALYZE');
    return tokens;
  } finally {
    database.close();
  }
}

function dropped(database: Database.Database, tables: readonly string[]): readonly string[] {
  const parts = database
    .prepare<[string], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY type`,
    )
    .all(JSON.stringify(tables));
  for (const { type, name } of parts) database.exec(`DROP ${type} ${name}`);
  return parts.map(({ sql }) => sql);
}

/** Runs a statement for `i` from 1 to `count`, in batches. */
function repeat(database: Database.Database, count: number, statement: string): void {
  for (let from = 1; from <= count; from += rowsTogether) {
    const to = Math.min(count, from + rowsTogether - 1);
    database.exec(
      `BEGIN; WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) ${statement}; COMMIT`,
    );
  }
}

function writePeople(database: Database.Database, { users }: ListSizes): ListReaders {
  const add = database.prepare('INSERT INTO users (username, name, is_admin, created_at) VALUES (?, ?, ?, 1)');
  const addToken = database.prepare(
    `INSERT INTO personal_access_tokens (user_id, name, name_key, scopes, token_hash, created_at, family_id) VALUES (?, 'bench', 'bench', 'api', ?, 1, ?)`,
  );
  const tokens = accounts.map((name, at) => {
    add.run(name, name, Number(name === 'admin'));
    const token = newPersonalAccessToken();
    addToken.run(at + 1, secretDigest(token), at + 1);
    return token;
  });
  repeat(
    database,
    users,
    `INSERT INTO users (username, name, email, email_key, created_at, current_sign_in_at)
     SELECT 'person-' || i, 'Person ' || (i * 7919 % 100003), email, email, i, iif(i % 3 = 0, NULL, ${listsBegin} + i * 7919 % 1000003)
     FROM (SELECT i, 'person-' || i || '@lab.example' AS email FROM n)`,
  );
  repeat(
    database,
    users,
    `INSERT INTO personal_access_tokens (user_id, name, name_key, scopes, token_hash, created_at, expires_at, revoked_at, last_used_at, family_id)
     SELECT 5 + i, name, name, 'read_api', randomblob(32), i, 4000000000000 + i / 300 * 86400000, iif(i % 500 = 0, ${listsBegin} + i, NULL),
       iif(i % 3 = 0, NULL, ${listsBegin} + i * 7919 % 1000003), 5 + i
     FROM (SELECT i, iif(i % 2 = 0, 'ci', 'station ' || (i * 7919 % 100003)) AS name FROM n)`,
  );
  repeat(
    database,
    1000,
    `INSERT INTO projects (path, name, created_at) SELECT 'lab/p' || i, 'Project ' || i, i FROM n`,
  );
  // The reader by project is in fifty of them; the first gives access to a third.
  repeat(database, 50, `INSERT INTO project_members (project_id, user_id, role) SELECT i, 4, 'reporter' FROM n`);
  repeat(
    database,
    Math.min(users, 1000),
    `INSERT INTO project_members (project_id, user_id, role) SELECT 1, 5 + i, 'reporter' FROM n`,
  );
  repeat(
    database,
    1000,
    `INSERT INTO oauth_applications (owner_id, name, client_id, redirect_uris, scopes, confidential, created_at, updated_at)
     SELECT 5 + i, 'Application ' || i, 'client-' || i, 'https://app.example/', 'api', 0, i, i FROM n`,
  );
  const [admin = '', owner = '', direct = '', project = '', everyone = ''] = tokens;
  return { admin, owner, direct, project, everyone };
}

function writeMeasurements(database: Database.Database, { measurements, files }: ListSizes): void {
  repeat(
    database,
    measurements,
    `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, file_count, total_bytes, created_at, registered_at, number)
     SELECT 'm-' || i, title, lower(title), 2, 'library', '', iif(i % 50 = 0, 'degraded', 'available'), i % 1000, i * 7919 % 1000003, ${listsBegin} + i, ${listsBegin} + i, i
     FROM (SELECT i, 'Wing load ' || (i * 7919 % 1000003) || ' on bench ' || (i % 97) AS title FROM n)`,
  );
  database.exec(`INSERT INTO grants (measurement_id, user_id, created_at) SELECT id, 3, 1 FROM measurements WHERE number % 3 = 0;
    INSERT INTO grants (measurement_id, project_id, created_at) SELECT id, 1, 1 FROM measurements WHERE number % 3 = 1;
    INSERT INTO grants (measurement_id, everyone, created_at) SELECT id, 1, 1 FROM measurements WHERE number % 3 = 2;`);
  const columns = 'created_at, title_key, total_bytes, file_count, state FROM measurements';
  for (const [reader, which] of [
    [0, 'TRUE'],
    [4, 'TRUE'],
    [6, 'number % 3 = 0'],
    [3, 'number % 3 = 1'],
    [1, 'number % 3 = 2'],
  ] as const) {
    database.exec(
      `INSERT INTO measurement_access (measurement_id, reader, until, created_at, title_key, total_bytes, file_count, state) SELECT id, ${reader}, ${never}, ${columns} WHERE ${which}`,
    );
  }
  repeat(
    database,
    measurements,
    `INSERT INTO measurement_search (rowid, text) SELECT number, lower(id) || char(10) || title_key FROM n JOIN measurements ON id = 'm-' || i`,
  );
  database.exec(`UPDATE search_fills SET complete = 1`);
  repeat(
    database,
    files,
    `INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset)
     SELECT 'm-1', i - 1, 'run' || (i % 7) || '/scan_' || i || '.dat', 'x', 1, 1, zeroblob(32), '0', 1, i * 100, i * 100 FROM n`,
  );
}

function writeTrail(database: Database.Database, { measurements, transfers, users }: ListSizes): void {
  repeat(
    database,
    transfers,
    `INSERT INTO transfers (started_at, ended_at, user_id, token_id, address, measurement_id, what, file_index, status, bytes_sent, outcome)
     SELECT ${listsBegin} + i * 10, ${listsBegin} + i * 10 + 5, 1 + i % ${users}, 1, '10.0.' || (i % 256) || '.7', 'm-' || (1 + i * 7919 % ${measurements}), 'file', i % 100, 200, i, 'complete' FROM n`,
  );
  const actions = `json_array('user.sign-in', 'token.create', 'token.revoke', 'measurement.grant', 'measurement.register', 'project.member-add')`;
  repeat(
    database,
    transfers / 5,
    `INSERT INTO audit_events (at, user_id, action, subject, detail)
     SELECT ${listsBegin} + i * 50, 1 + i % ${users}, iif(i % 100000 = 7, 'user.delete', json_extract(${actions}, '$[' || (i % 6) || ']')), 'measurement:m-' || i, '' FROM n`,
  );
  repeat(
    database,
    Math.ceil(users / 2),
    `INSERT INTO jobs (kind, measurement_id, user_id, parameters, state, created_at, ended_at) SELECT 'verify', 'm-' || i, 2, '{}', iif(i % 5000 = 0, 'queued', 'done'), ${listsBegin} + i, ${listsBegin} + i FROM n`,
  );
}

function writeErrors(database: Database.Database, errors: number): void {
  database.exec(`INSERT INTO error_tracking_settings (project_id, active, integrated) VALUES (1, 1, 1)`);
  repeat(
    database,
    errors,
    `INSERT INTO errors (project_id, type, value, culprit, level, platform, first_seen, last_seen, events, users)
     SELECT 1, 'StationError' || (i % 1000), 'cannot read sensor ' || i, 'station.read', iif(i % 1000 = 0, 'fatal', 'error'), 'python', ${listsBegin} + i, ${listsBegin} + i * 7919 % 1000003, i % 500, i % 40 FROM n`,
  );
}
