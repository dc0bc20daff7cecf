import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createLogger } from './logging.ts';
import type { ServiceConfig } from './config.ts';
import { lockDataDirectory } from './database/lock.ts';
import { openDatabase } from './database/open.ts';
import { authentication } from './http/authentication.ts';
import { allowedHosts } from './http/host-check.ts';
import { createApp } from './http/server.ts';
import { listenForEverybody, listenForWindow } from './http/two-doors.ts';
import { createServices, type Services } from './services.ts';
import { tokenResolver } from './tokens/token-resolver.ts';
import { tokenUses } from './tokens/token-uses.ts';

export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly services: Services;
  /** Stops accepting, lets running requests end for at most ten seconds, then closes the database. */
  stop(): Promise<void>;
}

const graceMilliseconds = 10_000;

/**
 * Starts the whole service on a data directory.
 *
 * @throws StartError with a line for the user when it cannot.
 */
export async function startService(config: ServiceConfig): Promise<RunningService> {
  const unlock = lockDataDirectory(config.dataDir);
  const database = openDatabase(config.dataDir);
  const log = createLogger(config.logLevel);
  const services = createServices(config, database, log);
  let url = config.baseUrl ?? '';
  const baseUrl = () => url;

  const uses = tokenUses(services.tokens);
  const auth = authentication({
    tokens: tokenResolver(services.tokens, services.changes),
    uses,
    sessions: services.sessions,
    users: services.users,
    settings: services.settings,
    launchSecret: config.window ? Buffer.from(config.window.secret) : null,
    csrfKey: randomBytes(32),
  });
  const app = await createApp({ log, hostAllowed: allowedHosts(baseUrl, config.host) });
  const deps = { ...services, auth, baseUrl };
  void deps;

  const port = await listenForEverybody(app, config.host, config.port);
  if (config.baseUrl === null) url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const windowDoor: Server | null = config.window ? await listenForWindow(app, config.window.socketPath) : null;
  const flushUses = setInterval(() => void uses.flush().catch((error: unknown) => log.warn({ err: error }, 'last use of tokens not written')), 5000);

  return {
    url,
    port,
    services,
    stop: async () => {
      clearInterval(flushUses);
      const cut = setTimeout(() => {
        app.server.closeAllConnections();
        windowDoor?.closeAllConnections();
      }, graceMilliseconds);
      windowDoor?.close();
      await app.close();
      clearTimeout(cut);
      await uses.flush();
      database.close();
      unlock();
    },
  };
}
