import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openConfigured } from '../../service/database/engines/open-configured.ts';
import type { OpenedDatabase } from '../../service/database/opened-database.ts';
import { storeContext } from '../../service/database/store-context.ts';
import { OwnErrors } from '../../service/own-errors/own-errors.ts';
import type { ServiceConfig } from '../../service/config/config.ts';
import { defaultPort } from '../../service/common/default-port.ts';
import { explainStartFailure } from '../../service/database/explain-start-failure.ts';
import { lockDataDirectory } from '../../service/database/lock.ts';
import { refuseMoved } from '../../service/database/moving/data-mark.ts';
import { isUpToDate, openDatabase } from '../../service/database/open.ts';
import type { SqliteConnection } from '../../service/database/sqlite/sqlite-file.ts';
import { createLogger } from '../../service/logging/logging.ts';
import { programFiles } from '../../service/process/program-files.ts';
import { createServices, type Services } from '../../service/services.ts';
import { dataDirectory } from './data-directory.ts';
import { facilityOf, type Facility } from './facility.ts';
import { objectStorageOf } from './object-storage.ts';
import { noteUnconfirmed } from './note-unconfirmed.ts';
import { requireData } from './require-data.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface DataOptions {
  readonly data?: string;
}

interface Access extends DataOptions {
  /** Whether to create a missing directory. */
  readonly create?: boolean;
  /** Whether the work reads or writes files of the library. */
  readonly library?: boolean;
}

/**
 * Opens the data directory, or the PostgreSQL of a facility, runs `work` on it, and closes it. A
 * service may be running on it: it sees the changes with its next request.
 * @throws StartError or CommandError with a line for the user.
 */
export async function withServices<T>(
  terminal: Terminal,
  options: Access,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const facility = facilityOf(terminal.environment);
  return facility === null ? onDataDirectory(terminal, options, work) : onFacility(terminal, options, facility, work);
}

async function onDataDirectory<T>(
  terminal: Terminal,
  options: Access,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirectory(options.data, terminal.environment);
  if (options.create !== true) requireData(dataDir);
  const database = openBesideService(dataDir);
  let services: Services | null = null;
  try {
    const config = { ...commandConfig(terminal, dataDir), objectStorage: objectStorageOf(terminal.environment) };
    services = await createServices(config, storeContext(database), createLogger(config.logLevel), new OwnErrors());
    return await work(services);
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  } finally {
    services?.objectStorage?.close();
    database.close();
  }
}

async function onFacility<T>(
  terminal: Terminal,
  options: Access,
  { database, libraryDir, secretKeyFile }: Facility,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'benchport-command-'));
  const config = {
    ...commandConfig(terminal, scratch),
    objectStorage: objectStorageOf(terminal.environment),
    database,
    ...(libraryDir === null ? ({ library: 'none' } as const) : { libraryDir }),
    ...(secretKeyFile === null ? {} : { secretKeyFile }),
  };
  const log = createLogger(config.logLevel);
  let opened: OpenedDatabase | null = null;
  let services: Services | null = null;
  try {
    const own = { name: `command on ${os.hostname()}`, version: config.version, serves: false };
    opened = await openConfigured({ ...config, process: own }, (error, message) => log.error({ err: error }, message));
    services = await createServices(config, opened.context, log, new OwnErrors());
    if (options.library === true && libraryDir === null) await requireNoLibrary(services);
    const result = await work(services);
    await noteUnconfirmed(terminal, services.cluster);
    return result;
  } finally {
    services?.objectStorage?.close();
    await opened?.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Without its folder a command would take the files of the library for lost. */
async function requireNoLibrary({ measurements, objectStorage }: Services): Promise<void> {
  if (objectStorage !== null && (await measurements.inLibrary()) === null) return;
  throw new CommandError('This needs the library: name its folder with BENCHPORT_LIBRARY_DIR.', 2);
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
  refuseMoved(dataDir);
  if (isUpToDate(dataDir)) return openDatabase(dataDir);
  const unlock = lockDataDirectory(dataDir);
  try {
    return openDatabase(dataDir);
  } finally {
    unlock();
  }
}
