import type { Command } from 'commander';
import { wholeNumber } from '../support/command.ts';
import { facilityOf, requireSetting } from '../support/facility.ts';
import { CommandError, type Terminal } from '../support/terminal.ts';
import { variable } from '../support/environment.ts';
import type { ServiceConfig } from '../../service/config/config.ts';
import os from 'node:os';

/** Options of a service that shares a PostgreSQL with others; each has a variable of its own. */
export interface FacilityOptions {
  readonly cluster?: true;
  readonly databaseUrlFile?: string;
  readonly databasePool?: number;
  readonly databaseListenUrlFile?: string;
  readonly libraryDir?: string;
  readonly secretKeyFile?: string;
  readonly accessGrace?: number;
  readonly replica?: string;
}

/** Settings of a service on PostgreSQL that `ServiceConfig` has besides those of every service. */
export type FacilitySettings = Required<
  Pick<ServiceConfig, 'database' | 'secretKeyFile' | 'accessGraceMs' | 'drainMs' | 'replicaName'>
> &
  Pick<ServiceConfig, 'library' | 'libraryDir'>;

const maxGraceSeconds = 3600;
const defaultGraceSeconds = 10;
/** Two checks of a balancer, and the time after which nginx closes an idle connection. */
const drainMs = 6000;

export function addFacilityOptions(serve: Command): void {
  serve
    .option('--cluster', 'be one of several processes on one PostgreSQL, which BENCHPORT_DATABASE_URL names')
    .option(
      '--database-url-file <file>',
      'file with the address of the PostgreSQL (BENCHPORT_DATABASE_URL or BENCHPORT_DATABASE_URL_FILE)',
    )
    .option('--database-pool <number>', 'connections of this process (BENCHPORT_DATABASE_POOL)', wholeNumber(2, 1000))
    .option(
      '--database-listen-url-file <file>',
      'file with an address that leads past a pooler (BENCHPORT_DATABASE_LISTEN_URL or ..._FILE)',
    )
    .option('--library-dir <folder>', 'folder of the library that all replicas share (BENCHPORT_LIBRARY_DIR)')
    .option('--secret-key-file <file>', '32 random bytes, the same for all replicas (BENCHPORT_SECRET_KEY_FILE)')
    .option(
      '--access-grace <seconds>',
      'how long running transfers go on while the database does not answer (BENCHPORT_ACCESS_GRACE)',
      wholeNumber(0, maxGraceSeconds),
    )
    .option('--replica <name>', "name of this replica in messages; the machine's when left out (BENCHPORT_REPLICA)");
}

/** The variables that options stand for. */
function withOptions(environment: NodeJS.ProcessEnv, options: FacilityOptions): NodeJS.ProcessEnv {
  const given = {
    BENCHPORT_DATABASE_URL_FILE: options.databaseUrlFile,
    BENCHPORT_DATABASE_POOL: options.databasePool?.toString(),
    BENCHPORT_DATABASE_LISTEN_URL_FILE: options.databaseListenUrlFile,
    BENCHPORT_LIBRARY_DIR: options.libraryDir,
    BENCHPORT_SECRET_KEY_FILE: options.secretKeyFile,
    BENCHPORT_ACCESS_GRACE: options.accessGrace?.toString(),
    BENCHPORT_REPLICA: options.replica,
  };
  return { ...environment, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/**
 * Settings of a service on PostgreSQL; null for one on a data directory of its own.
 *
 * @param hasStorage whether there is an object storage, with which no folder is needed.
 * @throws CommandError (bad usage) that names what is missing.
 */
export function facilitySettings(
  terminal: Terminal,
  options: FacilityOptions,
  baseUrl: string | null,
  hasStorage: boolean,
): FacilitySettings | null {
  const environment = withOptions(terminal.environment, options);
  const facility = facilityOf(environment);
  if (facility === null) {
    if (options.cluster)
      throw new CommandError(
        '--cluster needs a PostgreSQL: set BENCHPORT_DATABASE_URL. SQLite is for one process alone.',
        2,
      );
    return null;
  }
  requireSetting(baseUrl, '--base-url', 'BENCHPORT_BASE_URL');
  return {
    database: facility.database,
    ...libraryOf(facility.libraryDir, hasStorage),
    secretKeyFile: requireSetting(facility.secretKeyFile, '--secret-key-file', 'BENCHPORT_SECRET_KEY_FILE'),
    accessGraceMs: graceOf(variable(environment, 'BENCHPORT_ACCESS_GRACE')) * 1000,
    drainMs,
    replicaName: variable(environment, 'BENCHPORT_REPLICA') ?? os.hostname(),
  };
}

/** @throws CommandError (bad usage) when measurements could lie nowhere. */
function libraryOf(folder: string | null, hasStorage: boolean): Pick<ServiceConfig, 'library' | 'libraryDir'> {
  if (folder === null && hasStorage) return { library: 'none' };
  if (folder !== null) return { libraryDir: folder };
  throw new CommandError(
    'A service on PostgreSQL needs --library-dir, or BENCHPORT_LIBRARY_DIR in the environment, or an object storage (BENCHPORT_S3_ENDPOINT).',
    2,
  );
}

function graceOf(text: string | null): number {
  if (text === null) return defaultGraceSeconds;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= maxGraceSeconds) return seconds;
  throw new CommandError(`BENCHPORT_ACCESS_GRACE is a number of seconds from 0 to ${maxGraceSeconds}.`, 2);
}
