import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { migratePostgres } from '../../../src-main/service/database/postgres/migrate.ts';
import { createServer, serverIn, sharedDir, type PostgresServer } from './server.ts';

const template = 'benchport_template';

/** Functions of SQLite that tests call. */
const sqliteFunctions = String.raw`
CREATE FUNCTION unhex(text) RETURNS bytea LANGUAGE sql AS 'SELECT decode($1, ''hex'')';
CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql AS 'SELECT upper(encode($1, ''hex''))';
CREATE FUNCTION zeroblob(integer) RETURNS bytea LANGUAGE sql AS 'SELECT decode(repeat(''00'', $1), ''hex'')';
CREATE FUNCTION randomblob(integer) RETURNS bytea LANGUAGE sql VOLATILE
  AS 'SELECT decode(string_agg(lpad(to_hex(floor(random() * 256)::int), 2, ''0''), ''''), ''hex'') FROM generate_series(1, $1)';
`;

/** A database of its own for a test, with all tables. */
export interface TestDatabase {
  readonly url: string;
  /** Runs a statement on a connection of its own. @returns its rows. */
  query<Row>(statement: string): Promise<readonly Row[]>;
  remove(): Promise<void>;
}

/** A database without tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = await sharedServer();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await execute(server.url('postgres'), `CREATE DATABASE ${name}`);
  return databaseIn(server, name);
}

/** A database of a server. */
export function databaseIn(server: PostgresServer, name: string): TestDatabase {
  const url = server.url(name);
  return {
    url,
    query: async (statement) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(statement)).rows as never;
      } finally {
        await client.end();
      }
    },
    remove: async () => execute(server.url('postgres'), `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Creates a database on the PostgreSQL of this run, which the first test that needs it starts. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await sharedServer();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  // Another test may be copying the template at this moment.
  for (;;) {
    try {
      await execute(server.url('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
      break;
    } catch (error) {
      if (!String(error).includes('being accessed')) throw error;
      await setTimeout(20);
    }
  }
  return databaseIn(server, name);
}

/** Runs a statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function sharedServer(): Promise<PostgresServer> {
  const dir = sharedDir(process.env['BENCHPORT_TEST_RUN'] ?? 'none');
  const port = path.join(dir, 'port');
  if (!existsSync(port)) {
    if (isFirst(`${dir}.lock`)) await startShared(dir, port);
    while (!existsSync(port)) await setTimeout(50);
  }
  return serverIn(dir, Number(readFileSync(port, 'utf8')));
}

async function startShared(dir: string, port: string): Promise<void> {
  const server = await createServer(dir, ['fsync = off', 'full_page_writes = off', 'shared_buffers = 64MB']);
  await execute(server.url('postgres'), `CREATE DATABASE ${template}`);
  await migratePostgres(server.url(template));
  await execute(server.url(template), sqliteFunctions);
  writeFileSync(`${port}.partial`, String(server.port));
  renameSync(`${port}.partial`, port);
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
