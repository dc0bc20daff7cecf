import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { addFolding } from '../../../src-main/service/database/text-search.ts';
import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { slowMigration } from './slow-migration.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { writeAlice } from './write-alice.ts';

let dir: string;
const newest = migrations.at(-1)?.number ?? 0;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-migration-'));
  await writeAlice(dir);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a kill in the middle of a migration leaves the data unchanged, and the next start completes it', async () => {
  const file = path.join(dir, 'benchport.db');
  const backups = path.join(dir, 'backups');
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'migrate-slowly.ts'), file, backups], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  // Uncommitted pages spill into the log once they exceed the cache, which shows that the migration
  // is under way.
  await expect
    .poll(async () => (await stat(`${file}-wal`).catch(() => null))?.size ?? 0, { timeout: 25_000, interval: 20 })
    .toBeGreaterThan(8 * 1024 * 1024);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const database = openDatabase(dir);
  try {
    expect(database.pragma('user_version', { simple: true })).toBe(newest);
    expect(database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'filler'").pluck().get()).toBe(0);
    expect(await usersStore(storeContext(database).database).byUsername('alice')).toMatchObject({ name: 'Alice' });

    migrate(database, [...migrations, slowMigration(10)], backups);
    expect(database.pragma('user_version', { simple: true })).toBe(newest + 1);
    expect(database.prepare('SELECT count(*) FROM filler').pluck().get()).toBe(10);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  } finally {
    database.close();
  }
  expect(await readdir(backups)).toEqual([`before-migration-from-${newest}.db`]);
  const backup = new Database(path.join(backups, `before-migration-from-${newest}.db`), { readonly: true });
  addFolding(backup);
  expect(await usersStore(storeContext(backup).database).byUsername('alice')).toMatchObject({ name: 'Alice' });
  backup.close();
});

test('a migration that fails changes nothing', async () => {
  const database = openDatabase(dir);
  try {
    const broken = { number: newest + 1, name: 'broken', sql: "UPDATE users SET name = 'changed'; SELECT nonsense;" };
    expect(() => migrate(database, [...migrations, broken], path.join(dir, 'backups'))).toThrow(/nonsense/);
    expect(database.pragma('user_version', { simple: true })).toBe(newest);
    expect(await usersStore(storeContext(database).database).byUsername('alice')).toMatchObject({ name: 'Alice' });
  } finally {
    database.close();
  }
});

test('two processes that open a new directory at once both find it complete', async () => {
  const fresh = path.join(dir, 'fresh');
  const program = `import { openDatabase } from ${JSON.stringify(path.resolve(import.meta.dirname, '../../../src-main/service/database/open.ts'))};
    const database = openDatabase(${JSON.stringify(fresh)});
    process.exitCode = database.pragma('user_version', { simple: true }) === ${newest} ? 0 : 3;`;
  const start = () =>
    once(
      spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'inherit'] }),
      'exit',
    );
  const ends = await Promise.all([start(), start(), start()]);
  expect(ends.map(([code]) => code as number)).toEqual([0, 0, 0]);
});

test('a running registration keeps its plan when the table of jobs is rebuilt, and no job number is reused', () => {
  const database = new Database(':memory:');
  database.pragma('foreign_keys = ON');
  const step = (number: number) => migrate(database, migrations.slice(0, number), path.join(dir, 'nothing'));
  step(4);
  database.exec(`
    INSERT INTO users (username, name, created_at) VALUES ('bob', 'Bob', 1);
    INSERT INTO jobs (kind, measurement_id, user_id, parameters, state, created_at) VALUES ('register', 'run', 1, '{}', 'queued', 1), ('verify', 'run', 1, '{}', 'done', 1);
    INSERT INTO registration_files VALUES (1, 0, 'a', '/a', 5, '7');
    DELETE FROM jobs WHERE id = 2;`);
  // An in-memory database cannot be copied first.
  database.exec(migrations[4]?.sql ?? '');
  expect(database.prepare('SELECT * FROM registration_files').all()).toEqual([
    { job_id: 1, idx: 0, path: 'a', source: '/a', length: 5, mtime_ns: '7' },
  ]);
  database.exec(
    "INSERT INTO jobs (kind, measurement_id, parameters, state, created_at) VALUES ('backup', '', '{}', 'queued', 1)",
  );
  expect(database.prepare('SELECT id, kind FROM jobs').all()).toEqual([
    { id: 1, kind: 'register' },
    { id: 3, kind: 'backup' },
  ]);
  database.exec('DELETE FROM jobs WHERE id = 1');
  expect(database.prepare('SELECT count(*) FROM registration_files').pluck().get()).toBe(0);
  expect(database.pragma('foreign_key_check')).toEqual([]);
});
