import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ServiceConfig } from '../../src-main/service/config/config.ts';
import { startService, type RunningService } from '../../src-main/service/service.ts';
import { createTestDatabase } from './postgres/database.ts';
import { newPersonalAccessToken } from '../../src-main/service/tokens/token-format.ts';
import { secretDigest } from '../../src-main/service/secrets/secret-digest.ts';

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
 * `BENCHPORT_TEST_DATABASE=postgres` is set.
 */
export async function startTestService(overrides: Partial<ServiceConfig> = {}): Promise<TestService> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-test-'));
  const launchSecret = 'a-secret-of-this-test-launch';
  const socketPath = path.join(dir, 'run', 'window.sock');
  const root = path.resolve(import.meta.dirname, '../..');
  const made = process.env['BENCHPORT_TEST_DATABASE'] === 'postgres' ? await createTestDatabase() : null;
  const service = await startService({
    dataDir: path.join(dir, 'data'),
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    window: { socketPath, secret: launchSecret },
    rendererDir: path.join(root, 'out/renderer'),
    assetsDir: path.join(root, 'assets'),
    version: '0.0.0-test',
    logLevel: 'silent',
    database: made && { url: made.url, listenUrl: null, connections: 4 },
    ...overrides,
  });
  return {
    ...service,
    dir,
    launchSecret,
    socketPath,
    user: async (username, admin = false) => {
      const user = await service.services.users.create({
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
      await service.services.tokens.create({
        userId,
        name: 'test',
        description: '',
        scopes,
        tokenHash: secretDigest(token),
        expiresAt,
      });
      return token;
    },
    end: async () => {
      await service.stop();
      await made?.remove();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
