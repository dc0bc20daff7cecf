import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { expect } from 'vitest';
import type { Expected } from './expected.ts';
import type { World } from './world.ts';

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Checks rules that hold at every moment after any kill, while the service runs. @returns the
 * existing measurements.
 */
export function checkDatabase(dataDir: string, expected: Expected, fixed: World['fixed']): ReadonlySet<string> {
  const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true, timeout: 10_000 });
  try {
    // One transaction reads all of it.
    database.exec('BEGIN');
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    checkMeasurements(database);
    checkJobs(database, expected);
    checkErrors(database, expected, fixed);
    const actions = new Set(
      database.prepare<[], string>("SELECT action || ' ' || subject FROM audit_events").pluck().all(),
    );
    const audited = [
      ...[...expected.tokens].flatMap(([id, { revoked }]) => [
        `token.create token:${id}`,
        ...(revoked === 'yes' ? [`token.revoke token:${id}`] : []),
      ]),
      ...[...expected.users].filter(([, { username }]) => username !== 'bob').map(([id]) => `user.create user:${id}`),
      ...[...expected.measurements]
        .filter(([, { removed }]) => removed === 'yes')
        .map(([id]) => `measurement.remove measurement:${id}`),
    ];
    expect(audited.filter((row) => !actions.has(row))).toEqual([]);
    const states = new Map(
      database
        .prepare<[], { id: number; state: string }>('SELECT id, state FROM users')
        .all()
        .map((row) => [row.id, row.state]),
    );
    for (const [id, { blocked }] of expected.users)
      if (blocked !== 'perhaps') expect([id, states.get(id)]).toEqual([id, blocked === 'yes' ? 'blocked' : 'active']);
    const settings =
      database.prepare<[], string>("SELECT value FROM settings WHERE key LIKE '%ignore%'").pluck().get() ?? '';
    if (expected.settings.length > 0)
      expect(expected.settings.filter((pattern) => settings.includes(`"${pattern}"`))).toHaveLength(1);
    return new Set(
      database.prepare<[], string>("SELECT id FROM measurements WHERE state <> 'registering'").pluck().all(),
    );
  } finally {
    database.close();
  }
}

function checkMeasurements(database: Database.Database): void {
  const none = (what: string, sql: string): void => expect([what, ...database.prepare(sql).all()]).toEqual([what]);
  none(
    'half registered and there',
    `SELECT id, file_count, total_bytes FROM measurements WHERE state <> 'registering' AND
       (registered_at IS NULL OR archive_tag = '' OR file_count <> (SELECT count(*) FROM measurement_files WHERE measurement_id = measurements.id)
        OR total_bytes <> (SELECT ifnull(sum(length), 0) FROM measurement_files WHERE measurement_id = measurements.id))`,
  );
  none(
    'registering and nobody works on it',
    `SELECT id FROM measurements WHERE state = 'registering' AND id NOT IN (SELECT measurement_id FROM jobs WHERE kind = 'register' AND state IN ('queued', 'running', 'paused'))
       AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id
         OR measurement_id = measurements.id AND stage IN ('leaving', 'restoring'))`,
  );
  none(
    'removed, and not whole',
    `SELECT kept.id FROM removed_measurements JOIN measurements AS kept ON kept.id = kept_id WHERE stage = 'kept'
       AND file_count <> (SELECT count(*) FROM measurement_files WHERE measurement_id = kept.id)`,
  );
  none(
    'planned and nobody works on it',
    `SELECT DISTINCT job_id FROM registration_files WHERE job_id NOT IN (SELECT id FROM jobs WHERE ended_at IS NULL)`,
  );
  none(
    'failed for no reason that can be told',
    `SELECT id, kind, measurement_id FROM jobs WHERE state = 'failed' AND message LIKE 'Something failed%'`,
  );
  none(
    'in two states',
    `SELECT id, state FROM jobs WHERE (ended_at IS NULL) <> (state IN ('queued', 'running', 'paused'))`,
  );
}

/** Queued jobs exist under their confirmed numbers, and completed jobs have had their effect. */
function checkJobs(database: Database.Database, expected: Expected): void {
  const jobs = new Map(
    database
      .prepare<[], { id: number; measurement_id: string; state: string }>('SELECT id, measurement_id, state FROM jobs')
      .all()
      .map((row) => [row.id, row]),
  );
  expect([...expected.jobs].filter(([id, measurement]) => jobs.get(id)?.measurement_id !== measurement)).toEqual([]);
  const there = new Set(
    database.prepare<[], string>("SELECT id FROM measurements WHERE state <> 'registering'").pluck().all(),
  );
  const done = [...expected.jobs].filter(
    ([id, measurement]) => expected.measurements.get(measurement)?.removed === 'no' && jobs.get(id)?.state === 'done',
  );
  expect(done.filter(([, measurement]) => !there.has(measurement))).toEqual([]);
  const fetches = new Map(
    database
      .prepare<[], { id: number; measurement_id: string }>('SELECT id, measurement_id FROM fetches')
      .all()
      .map((row) => [row.id, row.measurement_id]),
  );
  expect([...expected.fetches].filter(([id, measurement]) => fetches.get(id) !== measurement)).toEqual([]);
  const grants = new Set(database.prepare<[], number>('SELECT id FROM grants').pluck().all());
  const granted = [...expected.grants.values()].filter(
    ({ measurement }) => expected.measurements.get(measurement)?.removed === 'no',
  );
  expect(granted.filter(({ id, there: how }) => how !== 'perhaps' && grants.has(id) !== (how === 'yes'))).toEqual([]);
}

function checkErrors(database: Database.Database, expected: Expected, { project }: World['fixed']): void {
  const one = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? -1;
  expect(one('SELECT count(*) FROM error_events WHERE group_id NOT IN (SELECT id FROM error_groups)')).toBe(0);
  expect([...expected.merged].filter((id) => one(`SELECT count(*) FROM errors WHERE id = ${id}`) > 0)).toEqual([]);
  const statuses = new Map(
    database
      .prepare<[], { id: number; status: string }>('SELECT id, status FROM errors')
      .all()
      .map((row) => [String(row.id), row.status]),
  );
  expect([...expected.statuses].filter(([id, status]) => statuses.has(id) && statuses.get(id) !== status)).toEqual([]);
  if (!expected.madeRoom) checkEvents(database, [...expected.events], project);
}

/** Confirmed events exist, and counters equal rows. */
export function checkEvents(database: Database.Database, answered: readonly string[], project: number): void {
  const one = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? -1;
  const stored = new Set(database.prepare<[], string>('SELECT lower(hex(event_id)) FROM error_events').pluck().all());
  expect(answered.filter((id) => !stored.has(id))).toEqual([]);
  const rows = one(
    `SELECT count(*) FROM error_events WHERE group_id IN (SELECT id FROM error_groups WHERE project_id = ${project})`,
  );
  expect({
    errors: one(`SELECT ifnull(sum(events), 0) FROM errors WHERE project_id = ${project}`),
    groups: one(`SELECT ifnull(sum(events), 0) FROM error_groups WHERE project_id = ${project}`),
    key: one(`SELECT events FROM client_keys WHERE project_id = ${project}`),
  }).toEqual({ errors: rows, groups: rows, key: rows });
}
