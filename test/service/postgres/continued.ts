import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Services } from '../../../src-main/service/services.ts';
import { browserAt, type Browser } from '../browser.ts';
import { createTestDatabase } from '../postgres/database.ts';
import { startTestService, type TestService } from '../start.ts';

/** A service whose clients are continued by another process. */
export interface Continued {
  readonly services: Services;
  /** Where requests go now. */
  readonly url: string;
  readonly setupCode: string | null;
  /** A browser that goes where requests go now. */
  browser(): Browser;
  /** From here on another process answers. */
  goOn(): Promise<void>;
  end(): Promise<void>;
}

export const baseUrl = 'https://bench.example';

function continued(first: TestService, next: () => Promise<TestService>, end: () => Promise<unknown>): Continued {
  let current = first;
  const urlOf = ({ port }: TestService) => `http://127.0.0.1:${port}`;
  return {
    get services() {
      return current.services;
    },
    get url() {
      return urlOf(current);
    },
    get setupCode() {
      return current.setupCode;
    },
    browser: () =>
      browserAt({
        get url() {
          return urlOf(current);
        },
      }),
    goOn: async () => {
      current = await next();
    },
    end: async () => void (await end()),
  };
}

/** Two replicas on one PostgreSQL database with the same secret. */
export async function startReplicas(): Promise<Continued> {
  const made = await createTestDatabase();
  const database = { url: made.url, listenUrl: null, connections: 4 };
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-replicas-'));
  const secretKeyFile = path.join(dir, 'secret.key');
  await writeFile(secretKeyFile, randomBytes(32));
  const start = async () => startTestService({ database, baseUrl, secretKeyFile });
  const [first, second] = [await start(), await start()];
  let last = first;
  return continued(
    first,
    async () => {
      last = last === first ? second : first;
      return last;
    },
    async () => {
      await first.end();
      await second.end();
      await made.remove();
      await rm(dir, { recursive: true, force: true });
    },
  );
}

/** A service on SQLite that is stopped and started again. */
export async function startRestarted(): Promise<Continued> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-restarted-'));
  const start = async () => startTestService({ database: null, baseUrl, dataDir: path.join(dir, 'data') });
  let last = await start();
  return continued(
    last,
    async () => {
      await last.end();
      last = await start();
      return last;
    },
    async () => {
      await last.end();
      await rm(dir, { recursive: true, force: true });
    },
  );
}
