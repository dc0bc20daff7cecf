import pg from 'pg';
import { hash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '../../../../src-main/service/database/open.ts';
import { moveDatabase, type MoveResult } from '../../../../src-main/service/database/moving/move-database.ts';
import type { ReportMove } from '../../../../src-main/service/database/moving/move-progress.ts';
import { movedTables, ordinaryTables } from '../../../../src-main/service/database/moving/moved-tables.ts';
import { withSides, type MovePlaces } from '../../../../src-main/service/database/moving/open-sides.ts';
import { openSqliteFile } from '../../../../src-main/service/database/sqlite/sqlite-file.ts';
import type { RunningService } from '../../../../src-main/service/service.ts';
import { startFromSources } from '../../start-from-sources.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { createTestDatabase, execute } from '../../postgres/database.ts';
import { startTestService } from '../../start.ts';
import { fillEveryTable } from './every-table.ts';

export interface MoveFixture {
  readonly dir: string;
  /** Of a service that ran, with rows in every table. */
  readonly dataDir: string;
  /** A personal access token of the user 1, an administrator. */
  readonly token: string;
  /** An empty PostgreSQL database. */
  readonly url: string;
  end(): Promise<void>;
}

/** A data directory with rows in every table, and an empty PostgreSQL database. */
export async function moveFixture(): Promise<MoveFixture> {
  const service = await startTestService({ database: null });
  const alice = await service.user('alice', true);
  const token = await service.token(alice, ['api']);
  await addMeasurement(service, alice, 'served', [{ path: 'a.txt', bytes: 'bytes of a' }]);
  await service.stop();
  const dataDir = path.join(service.dir, 'data');
  const database = openDatabase(dataDir);
  fillEveryTable(database);
  database.close();
  const made = await emptyDatabase();
  return {
    dir: service.dir,
    dataDir,
    token,
    url: made.url,
    end: async () => {
      await made.remove();
      await rm(service.dir, { recursive: true, force: true });
    },
  };
}

/** A database without tables. @param options of CREATE DATABASE. */
export async function emptyDatabase(options = ''): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const beside = await createTestDatabase();
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await execute(beside.url, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  const url = new URL(beside.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: async () => {
      await execute(beside.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await beside.remove();
    },
  };
}

export function toPostgres({ dataDir, url }: Pick<MoveFixture, 'dataDir' | 'url'>): MovePlaces {
  return { to: 'postgres', dataDir, url, mayCreate: true };
}

export function toSqlite(dataDir: string, url: string): MovePlaces {
  return { to: 'sqlite', dataDir, url, mayCreate: true };
}

/** Moves to the end. */
export async function moveAll(places: MovePlaces, report: ReportMove = () => undefined): Promise<MoveResult> {
  const { signal } = new AbortController();
  return withSides(places, async (source, target) => moveDatabase({ source, target, report, signal }));
}

/** A database to move, for the tests of the file or group that calls this, and a folder to move it back to. */
export function useMove(): { readonly fixture: MoveFixture; readonly back: string } {
  const move = {} as { fixture: MoveFixture; back: string };
  beforeAll(async () => {
    move.fixture = await moveFixture();
    move.back = await temporaryFolder();
  });
  afterAll(async () => {
    await move.fixture.end();
    await rm(move.back, { recursive: true });
  });
  return move;
}

/** Starts a service: on the data directory, or on PostgreSQL if an address is given, with the library of the directory. */
export async function serve(dataDir: string, url: string | null = null): Promise<RunningService> {
  const facility =
    url === null ? {} : { libraryDir: path.join(dataDir, 'library'), secretKeyFile: await keyFile(dataDir) };
  return startFromSources({
    ...facility,
    // With PostgreSQL it has only a log.
    dataDir: url === null ? dataDir : `${dataDir}-of-replica`,
    database: url === null ? null : { url, listenUrl: null, connections: 4 },
  });
}

/** The key of a data directory. */
async function keyFile(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret.key');
  await mkdir(path.join(dataDir, 'library'), { recursive: true });
  await writeFile(file, randomBytes(32), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  return file;
}

/** Why a service does not start. */
export async function whyNotServed(dataDir: string, url: string | null = null): Promise<string> {
  try {
    const service = await serve(dataDir, url);
    await service.stop();
    return 'it started';
  } catch (error) {
    return String(error);
  }
}

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), 'benchport-moved-'));
}

/** Every row of every table that moves, and of those kept by triggers, as SQLite has them. */
export function contentsOf(dataDir: string): Readonly<Record<string, readonly unknown[]>> {
  const database = openSqliteFile(path.join(dataDir, 'benchport.db'), { readonly: true });
  try {
    const names = [...movedTables().map(({ name }) => name), 'measurement_access', 'search_fills'];
    const found = names.map((name) => {
      const rows = database.prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}"`).all().map(readable);
      const keyed = rows.map((row) => ({ key: JSON.stringify(row), row }));
      return [name, keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row)] as const;
    });
    return Object.fromEntries(found);
  } finally {
    database.close();
  }
}

/** A row with digests for bytes, which compare faster. */
function readable(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? hash('sha256', value) : value]),
  );
}

/** The SQL of all tables, indexes and triggers. */
export function schemaOf(dataDir: string): readonly unknown[] {
  const database = openSqliteFile(path.join(dataDir, 'benchport.db'), { readonly: true });
  try {
    expectTables(ordinaryTables(database));
    return database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
  } finally {
    database.close();
  }
}

function expectTables(names: readonly string[]): void {
  if (names.length < 40) throw new Error(`only ${names.length} tables`);
}

/** Runs a query on PostgreSQL. */
export async function queryPostgres(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
