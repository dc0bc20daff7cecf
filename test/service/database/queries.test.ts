import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { compileQuery } from '../../../src-main/service/database/postgres/compile.ts';
import { textFor } from '../../../src-main/service/database/port/dialect.ts';
import { createTestDatabase } from '../postgres/database.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const service = path.join(root, 'src-main/service');

/** Tables that stay small: there is one row for each bench, project, server, rule, or setting. */
const smallTables = new Set([
  'announced_releases',
  'benches',
  'capture_rules',
  'error_tracking_settings',
  'known_places',
  'notification_rules',
  'oauth_applications',
  'outbox',
  'projects',
  'remote_servers',
  'replicas',
  'settings',
  'source_maps',
  'totp_keys',
  'upload_chunks',
  'user_agents',
  'webauthn_keys',
]);
/** Queries that read a whole table, with the reason why that is right. */
const wholeReads: Readonly<Record<string, string>> = {
  'database/stored-numbers-store.ts': 'in the background, for metrics and diagnostics',
  'tokens/tokens-store.ts: personal_access_tokens': 'for a command, in a process of its own',
  'accounts/store/users-store.ts: users: SELECT * FROM users': 'for a command, in a process of its own',
  'accounts/store/users-store.ts: users: INSERT': 'ends at the first user',
  'accounts/store/users-store.ts: grants': 'its foreign key, when an account is removed',
  'projects/hidden-projects-store.ts: happenings': 'its foreign key, when a project is removed',
  'projects/projects-store.ts: happenings': 'its foreign key, which SQLite does not look at for a new project',
  'transfers/transfers-store.ts': 'never true on SQLite, or an index of the few that run',
  'jobs/jobs-store.ts: jobs: SELECT * FROM jobs WHERE replica_id': 'never true on SQLite',
  'measurements/store/registration-store.ts: measurements: SELECT id FROM measurements WHERE state':
    'an index of the few',
  'measurements/store/uploads-store.ts: uploads: UPDATE uploads SET writer': 'once, at the start',
  'notifications/store/happenings-store.ts: happenings: SELECT kind': 'the index of a table with a maximum',
  'notifications/store/deliveries-store.ts: deliveries': 'an index of the few that wait',
  'fleet/store/reported-store.ts': 'a bench reports its few errors',
  'copies/store': 'a copy needs minutes, so there are thousands',
  'capture/store/capture-list-store.ts: capture_runs': 'runs of instruments of one bench, in an index',
  'accounts/store/sessions-store.ts: sessions': 'once an hour, one for each signed-in browser',
  'accounts/store/sign-in-failures-store.ts: sign_in_failures': 'failures of the last hours',
};

interface Found {
  readonly file: string;
  readonly text: string;
}
const { found } = vi.hoisted(() => ({ found: [] as Found[] }));

vi.mock('../../../src-main/service/database/port/query.ts', async (original) => {
  const real = await original<Record<string, unknown>>();
  const noting = (make: (text: string) => unknown) => (text: string) => {
    const caller = (new Error('where').stack ?? '')
      .split('\n')
      .find((line) => line.includes('src-main/service/') && !line.includes('/port/'));
    const file = /src-main\/service\/([\w/.-]+?\.ts)/.exec(caller ?? '')?.[1];
    found.push({ file: file ?? 'unknown', text });
    return make(text);
  };
  return Object.fromEntries(
    Object.entries(real).map(([name, value]) => [name, noting(value as (text: string) => unknown)]),
  );
});

async function queries(): Promise<readonly Found[]> {
  const names = await fs.readdir(service, { recursive: true });
  for (const name of names.filter((one) => /(?:store|list|writer|user-agents|group)[\w-]*\.ts$/.test(one)))
    await import(path.join(service, name));
  return found;
}

it('PostgreSQL understands every query that stores hold', async () => {
  const all = await queries();
  expect(all.length).toBeGreaterThan(300);
  const made = await createTestDatabase();
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  const refused: string[] = [];
  try {
    for (const { file, text } of all) {
      const { text: sql } = compileQuery(textFor('postgres', text));
      await client.query(`PREPARE one AS ${sql}`).then(
        async () => client.query('DEALLOCATE one'),
        (error: unknown) => refused.push(`${file}: ${String(error)}\n${sql}`),
      );
    }
  } finally {
    await client.end();
    await made.remove();
  }
  expect(refused).toEqual([]);
});

function grouped(all: readonly Found[], keyOf: (one: Found) => string): Map<string, readonly Found[]> {
  const groups = new Map<string, readonly Found[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** Without the indentation of the source. */
function plain(sql: string): string {
  return sql
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n  ');
}

it('docs/queries has the queries of every store as they are', async () => {
  const rooms = grouped(await queries(), ({ file }) => file.split('/')[0] ?? '');
  expect([...rooms.keys()]).not.toContain('unknown');
  for (const [room, all] of rooms) {
    const files = [...grouped(all, ({ file }) => file)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const parts = files.flatMap(([file, list]) => [
      `-- src-main/service/${file}`,
      ...new Set(list.map(({ text }) => bothTexts(text))),
    ]);
    await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(path.join(root, 'docs/queries', `${room}.sql`));
  }
});

function bothTexts(text: string): string {
  const [sqlite, postgres] = [plain(textFor('sqlite', text)), plain(textFor('postgres', text))];
  return sqlite === postgres ? `${sqlite};` : `-- SQLite\n${sqlite};\n-- PostgreSQL\n${postgres};`;
}

it('SQLite reads no large table whole', async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'benchport-test-'));
  const database = openDatabase(dir);
  const reads: string[] = [];
  for (const { file, text } of await queries()) {
    const sql = textFor('sqlite', text);
    if (!isOfSqlite(sql)) continue;
    for (const table of wholeTables(database, sql))
      reads.push(`${file}: ${table}: ${sql.replaceAll(/\s+/g, ' ').slice(0, 100)}`);
  }
  database.close();
  await fs.rm(dir, { recursive: true });
  expect(reads.filter((one) => !Object.keys(wholeReads).some((known) => one.startsWith(known)))).toEqual([]);
});

/** Queries that only PostgreSQL uses are of no use here. */
function isOfSqlite(sql: string): boolean {
  return !/json_to_recordset|nextval\(|FOR NO KEY UPDATE/.test(sql);
}

/** The large tables that a query reads from one end to the other, unless it ends at a LIMIT. */
function wholeTables(database: Database, sql: string): readonly string[] {
  const names = Array.from(sql.matchAll(/@(\w+)/g), ([, name]) => [name, null]);
  const values = Array.from(sql.matchAll(/\?/g), () => null);
  const statement = database.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  const plan = names.length > 0 ? statement.all(Object.fromEntries(names)) : statement.all(...values);
  const isSorted = plan.some(({ detail }) => detail === 'USE TEMP B-TREE FOR ORDER BY');
  if (/\bLIMIT\b/.test(sql) && !isSorted) return [];
  const tables = tableNames(database);
  return plan.flatMap(({ detail }) => {
    const name = /^SCAN (\w+)(?! VIRTUAL)/.exec(detail)?.[1];
    if (name === undefined) return [];
    const table = tables.has(name) ? name : new RegExp(`(\\w+) AS ${name}\\b`).exec(sql)?.[1];
    return table === undefined || !tables.has(table) || smallTables.has(table) ? [] : [table];
  });
}

function tableNames(database: Database): ReadonlySet<string> {
  const rows = database
    .prepare<[], { readonly name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  return new Set(rows.map(({ name }) => name));
}
