import path from 'node:path';
import type { ServiceConfig } from '../../src-main/service/config/config.ts';
import { startService, type RunningService } from '../../src-main/service/service.ts';

/** Starts a service of this checkout on a free port, without a window and on SQLite unless told otherwise. */
export async function startFromSources(
  config: Partial<ServiceConfig> & Pick<ServiceConfig, 'dataDir'>,
): Promise<RunningService> {
  const root = path.resolve(import.meta.dirname, '../..');
  return startService({
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    window: null,
    database: null,
    rendererDir: path.join(root, 'out/renderer'),
    assetsDir: path.join(root, 'assets'),
    version: '0.0.0-test',
    logLevel: 'silent',
    ...config,
  });
}

/** Adds alice, who needs no password in the window, unless she is there. */
export async function ensureAlice({ services }: RunningService): Promise<void> {
  if (await services.users.byUsername('alice')) return;
  await services.users.create({ username: 'alice', name: 'alice', email: null, passwordHash: null, isAdmin: true });
}
