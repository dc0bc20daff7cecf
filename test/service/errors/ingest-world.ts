import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { openBeside } from '../fixture-measurement.ts';
import type { ErrorEvent } from '../../../src-main/service/contract/errors.ts';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';
import { unpackEvent } from '../../../src-main/service/errors/store/stored-event.ts';
import { startTestService, type TestService } from '../start.ts';

export interface IngestWorld {
  readonly service: TestService;
  /** A second connection, for reading what is on disk. */
  readonly database: Database.Database;
  readonly projectId: number;
  readonly publicKey: string;
  /** Adds a project with a key, switched on or off. */
  project(name: string, active?: boolean): Promise<{ readonly id: number; readonly publicKey: string }>;
  send(
    kind: 'store' | 'envelope',
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
    query?: string,
  ): Promise<Answer>;
  /** The stored event with this id. */
  event(id: string): ErrorEvent | null;
  rows<Row = Record<string, unknown>>(sql: string, ...parameters: unknown[]): Row[];
  end(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A service with a project that accepts errors. */
export async function startIngestWorld(overrides: Partial<ServiceConfig> = {}): Promise<IngestWorld> {
  const service = await startTestService(overrides);
  const database = openBeside(service);
  const project = async (name: string, active = true) => {
    const row = await service.services.projects.create(name, name);
    if (!row) throw new Error(`project ${name} exists`);
    const publicKey = `bpk_${randomBytes(16).toString('hex')}`;
    database
      .prepare('INSERT INTO error_tracking_settings (project_id, active, integrated) VALUES (?, ?, 1)')
      .run(row.id, active ? 1 : 0);
    database
      .prepare('INSERT INTO client_keys (project_id, public_key, created_at) VALUES (?, ?, ?)')
      .run(row.id, publicKey, Date.now());
    return { id: row.id, publicKey };
  };
  const { id: projectId, publicKey } = await project('lab');
  return {
    service,
    database,
    projectId,
    publicKey,
    project,
    send: async (kind, body, headers = {}, query = `?sentry_key=${publicKey}&sentry_version=7`) => {
      const url = `${service.url}/api/v4/error_tracking/collector/api/${projectId}/${kind}/${query}`;
      const response = await fetch(url, { method: 'POST', body, headers });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    event: (id) => {
      const row = database
        .prepare<[Buffer], { payload: Buffer; sample: Buffer | null }>(
          'SELECT error_events.payload, error_samples.payload AS sample FROM error_events LEFT JOIN error_samples USING (group_id) WHERE event_id = ?',
        )
        .get(Buffer.from(id, 'hex'));
      return row ? unpackEvent(row.payload, row.sample) : null;
    },
    rows: <Row>(sql: string, ...parameters: unknown[]) => database.prepare<unknown[], Row>(sql).all(...parameters),
    end: async () => {
      database.close();
      await service.end();
    },
  };
}
