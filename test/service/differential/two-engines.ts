import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { sessionsStore, type SessionsStore } from '../../../src-main/service/accounts/store/sessions-store.ts';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';
import type { OpenedDatabase } from '../../../src-main/service/database/opened-database.ts';
import { openConfigured } from '../../../src-main/service/database/engines/open-configured.ts';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import { OwnErrors } from '../../../src-main/service/own-errors/own-errors.ts';
import { createServices, type Services } from '../../../src-main/service/services.ts';
import { createTestDatabase } from '../postgres/database.ts';

export interface Stores extends Services {
  /** Without the secrets that the service makes for sessions. */
  readonly sessionRows: SessionsStore;
}

/** The stores on both engines, with empty tables. */
export interface TwoEngines {
  readonly sqlite: Stores;
  readonly postgres: Stores;
  /**
   * Sets the next ids of PostgreSQL to those of SQLite: a row that was refused has used up an id of a
   * sequence.
   */
  levelIds(): Promise<void>;
  end(): Promise<void>;
}

export async function openTwoEngines(): Promise<TwoEngines> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-differential-'));
  const made = await createTestDatabase();
  const settings = { url: made.url, listenUrl: null, connections: 4 };
  const own = { name: 'differential', version: '1', serves: false };
  const opened = [
    await openConfigured({ dataDir: dir, process: own }, () => undefined),
    await openPostgres(settings, null, () => undefined),
  ] as const;
  const config = (of: ServiceConfig['database']): ServiceConfig => ({
    dataDir: dir,
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    window: null,
    rendererDir: dir,
    assetsDir: dir,
    version: '1',
    logLevel: 'silent',
    database: of ?? null,
  });
  const services = async ({ context }: OpenedDatabase, of: ServiceConfig['database']): Promise<Stores> => ({
    ...(await createServices(config(of), context, pino({ level: 'silent' }), new OwnErrors())),
    sessionRows: sessionsStore(context.database),
  });
  const levels = await levelling(opened[0], made.url);
  const sqlite = await services(opened[0], null);
  const postgres = await services(opened[1], settings);
  return {
    sqlite,
    postgres,
    levelIds: levels.levelIds,
    end: async () => {
      await levels.close();
      await Promise.all(opened.map(async (one) => one.close()));
      await made.remove();
      await rm(dir, { recursive: true });
    },
  };
}

interface Levels extends Pick<TwoEngines, 'levelIds'> {
  close(): Promise<void>;
}

interface Sequence {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

const sequences = `SELECT table_name AS "table", column_name AS "column", pg_get_serial_sequence(table_name, column_name) AS sequence
  FROM information_schema.columns WHERE is_identity = 'YES' AND table_schema = 'public'`;

async function levelling(sqlite: OpenedDatabase, url: string): Promise<Levels> {
  const { connection } = sqlite.context.local;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Sequence>(sequences);
  const has = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const shared = rows.filter(({ table }) => has.get(table) !== undefined);
  const next = shared.map(({ table, column }) =>
    connection
      .prepare<[], number>(
        `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), (SELECT max(${column}) FROM ${table}), 0) + 1`,
      )
      .pluck(),
  );
  const text = `SELECT ${shared.map(({ sequence }, at) => `setval('${sequence}', $${at + 1}, false)`).join()}`;
  return {
    levelIds: async () => void (await client.query({ name: 'level', text, values: next.map((one) => one.get()) })),
    close: async () => client.end(),
  };
}
