import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ServiceConfig } from '../../src-main/service/config/config.ts';
import type { Engine } from '../../src-main/service/database/port/dialect.ts';
import { startService, type RunningService } from '../../src-main/service/service.ts';
import type { Services } from '../../src-main/service/services.ts';
import { startFacilityService } from '../cluster/facility-service.ts';
import { createTestDatabase, type TestDatabase } from './postgres/database.ts';
import { newPersonalAccessToken } from '../../src-main/service/tokens/token-format.ts';
import { secretDigest } from '../../src-main/service/secrets/secret-digest.ts';

/** Which engine the services of this run have. */
export const engineOfTests: Engine = process.env['BENCHPORT_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

/** Whether services of tests are replicas behind nginx. */
const inFacility = process.env['BENCHPORT_TEST_SERVICE'] === 'facility';

export interface TestService extends RunningService {
  readonly dir: string;
  readonly launchSecret: string;
  readonly socketPath: string;
  /** Adds a user without a password. */
  user(username: string, admin?: boolean): Promise<number>;
  /** Creates a personal access token. */
  token(userId: number, scopes?: readonly string[], expiresAt?: number | null): Promise<string>;
  /** Stops the service and removes its directory. */
  end(): Promise<void>;
}

/**
 * A real service on a free port with its own data directory; on PostgreSQL if
 * `BENCHPORT_TEST_DATABASE=postgres` is set, and three replicas behind nginx if
 * `BENCHPORT_TEST_SERVICE=facility` is.
 */
export async function startTestService(overrides: Partial<ServiceConfig> = {}): Promise<TestService> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-test-'));
  const launchSecret = 'a-secret-of-this-test-launch';
  const socketPath = path.join(dir, 'run', 'window.sock');
  const root = path.resolve(import.meta.dirname, '../..');
  const config: ServiceConfig = {
    dataDir: path.join(dir, 'data'),
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    window: { socketPath, secret: launchSecret },
    rendererDir: path.join(root, 'out/renderer'),
    assetsDir: path.join(root, 'assets'),
    version: '0.0.0-test',
    logLevel: 'silent',
    database: null,
    ...overrides,
  };
  const { remove, ...service } = await (inFacility ? startFacilityService : startInProcess)(config, overrides);
  return {
    ...service,
    ...accounts(service.services),
    dir,
    launchSecret,
    socketPath,
    end: async () => {
      await service.stop();
      await remove();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A service, and what removes its database when it has stopped. */
interface Removable extends RunningService {
  readonly remove: () => Promise<void>;
}

async function startInProcess(config: ServiceConfig, overrides: Partial<ServiceConfig>): Promise<Removable> {
  const own = overrides.database === undefined ? await databaseOf(config.dataDir) : null;
  const database = own && { url: own.made.url, listenUrl: null, connections: 4 };
  const service = await startService(database ? { ...config, database } : config);
  return { ...service, remove: async () => (own?.isNew ? own.made.remove() : undefined) };
}

interface DatabaseOfTest {
  readonly made: TestDatabase;
  /** Whether this start created it, and so its end removes it. */
  readonly isNew: boolean;
}

/** Databases by data directory: a service that is started again there finds its rows. */
function databases(): (dataDir: string) => Promise<DatabaseOfTest | null> {
  const known = new Map<string, TestDatabase>();
  return async (dataDir) => {
    if (engineOfTests === 'sqlite') return null;
    const there = known.get(dataDir);
    const made = there ?? (await createTestDatabase());
    known.set(dataDir, made);
    return { made, isNew: !there };
  };
}

const databaseOf = databases();

/** The address of the database that services with a data directory have; empty on SQLite. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  return (await databaseOf(dataDir))?.made.url ?? '';
}

function accounts(services: Services): Pick<TestService, 'user' | 'token'> {
  return {
    user: async (username, admin = false) => {
      const user = await services.users.create({
        username,
        name: username,
        email: null,
        passwordHash: null,
        isAdmin: admin,
      });
      if (!user) throw new Error(`user ${username} exists`);
      return user.id;
    },
    token: async (userId, scopes = ['read_api'], expiresAt = null) => {
      const token = newPersonalAccessToken();
      await services.tokens.create({
        userId,
        name: 'test',
        description: '',
        scopes,
        tokenHash: secretDigest(token),
        expiresAt,
      });
      return token;
    },
  };
}
