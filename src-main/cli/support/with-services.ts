import { storeContext } from '../../service/database/store-context.ts';
import { OwnErrors } from '../../service/own-errors/own-errors.ts';
import type { ServiceConfig } from '../../service/config/config.ts';
import { defaultPort } from '../../service/common/default-port.ts';
import { explainStartFailure } from '../../service/database/explain-start-failure.ts';
import { lockDataDirectory } from '../../service/database/lock.ts';
import { isUpToDate, openDatabase } from '../../service/database/open.ts';
import type { SqliteConnection } from '../../service/database/sqlite-file.ts';
import { createLogger } from '../../service/logging/logging.ts';
import { programFiles } from '../../service/process/program-files.ts';
import { createServices, type Services } from '../../service/services.ts';
import { dataDirectory } from './data-directory.ts';
import { requireData } from './require-data.ts';
import type { Terminal } from './terminal.ts';

export interface DataOptions {
  readonly data?: string;
}

/**
 * Opens the data directory, runs `work` on it, and closes it. A service may be running on it: it
 * sees the changes with its next request.
 * @param options.create whether to create a missing directory.
 * @throws StartError or CommandError with a line for the user.
 */
export async function withServices<T>(
  terminal: Terminal,
  options: DataOptions & { readonly create?: boolean },
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirectory(options.data, terminal.environment);
  if (options.create !== true) requireData(dataDir);
  const database = openBesideService(dataDir);
  try {
    const config = commandConfig(terminal, dataDir);
    return await work(
      await createServices(config, storeContext(database), createLogger(config.logLevel), new OwnErrors()),
    );
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  } finally {
    database.close();
  }
}

/**
 * The service's configuration for a command: defaults, because only a running service knows its own
 * options.
 */
export function commandConfig(terminal: Terminal, dataDir: string): ServiceConfig {
  const files = programFiles(terminal.programDir);
  return { dataDir, host: '127.0.0.1', port: defaultPort, baseUrl: null, window: null, ...files, logLevel: 'error' };
}

// Migrates the database only if it holds the service's lock: a running service expects the tables
// that it knows.
function openBesideService(dataDir: string): SqliteConnection {
  if (isUpToDate(dataDir)) return openDatabase(dataDir);
  const unlock = lockDataDirectory(dataDir);
  try {
    return openDatabase(dataDir);
  } finally {
    unlock();
  }
}
