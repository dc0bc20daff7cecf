import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { newPersonalAccessToken } from '../../../src-main/service/tokens/token-format.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';

export interface IngestChild {
  /** A token of the administrator alice. */
  readonly token: string;
  readonly database: Database.Database;
  /** @returns the status of the response; 0 when the connection breaks. */
  send(method: string, address: string, body?: Buffer, headers?: Readonly<Record<string, string>>): Promise<number>;
  /** Sends one event, by the endpoint `store` unless another is given. */
  event(body: Buffer, headers?: Readonly<Record<string, string>>, kind?: string): Promise<number>;
  /** Null while the process runs. */
  ended(): string | number | null;
  /** Peak memory in bytes; null where the system does not report it. */
  peakMemory(): Promise<number | null>;
  end(): Promise<void>;
}

/**
 * A service with project 5 and error tracking, in a separate process, for requests that may crash
 * it.
 */
export async function startIngestChild(): Promise<IngestChild> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-ingest-'));
  const dataDir = path.join(dir, 'data');
  const socketPath = path.join(dir, 'service.sock');
  const file = path.resolve(import.meta.dirname, '../service-child.ts');
  const child = spawn(process.execPath, [file, dataDir, socketPath, 'a-secret-of-this-test-launch'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const database = new Database(path.join(dataDir, 'benchport.db'), { timeout: 10_000 });
  const key = `bpk_${'a'.repeat(32)}`;
  const token = newPersonalAccessToken();
  database.exec(`INSERT INTO projects (id, path, name, created_at) VALUES (5, 'lab', 'lab', 1);
    INSERT INTO error_tracking_settings (project_id, active, integrated) VALUES (5, 1, 1);
    INSERT INTO client_keys (project_id, public_key, created_at) VALUES (5, '${key}', 1)`);
  database
    .prepare(
      `INSERT INTO personal_access_tokens (user_id, name, description, scopes, token_hash, created_at)
       SELECT id, 'test', '', 'api read_api', ?, 1 FROM users WHERE username = 'alice'`,
    )
    .run(secretDigest(token));

  async function send(
    method: string,
    address: string,
    body?: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    return new Promise((resolve) => {
      const request = http.request({ socketPath, method, path: address, headers, agent: false }, (response) =>
        response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0)),
      );
      request.once('error', () => resolve(0));
      request.end(body);
    });
  }

  return {
    token,
    database,
    send,
    event: async (body, headers = {}, kind = 'store') =>
      send('POST', `/api/v4/error_tracking/collector/api/5/${kind}?sentry_key=${key}`, body, headers),
    ended: () => child.signalCode ?? child.exitCode,
    peakMemory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
      return kilobytes === undefined ? null : Number(kilobytes) * 1024;
    },
    end: async () => {
      database.close();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}
