import path from 'node:path';
import type { DatabaseSettings } from '../../service/database/database-settings.ts';
import { secretVariable, variable } from './environment.ts';
import { CommandError } from './terminal.ts';

/** The database, library and key that the replicas of a facility and its commands share. */
export interface Facility {
  readonly database: DatabaseSettings;
  readonly libraryDir: string | null;
  readonly secretKeyFile: string | null;
}

const defaultConnections = 10;
const maxConnections = 1000;

/**
 * The facility that the environment names; null without BENCHPORT_DATABASE_URL.
 *
 * @throws CommandError (bad usage) that names the variable which cannot be used.
 */
export function facilityOf(environment: NodeJS.ProcessEnv): Facility | null {
  const url = secretVariable(environment, 'BENCHPORT_DATABASE_URL');
  if (url === null) return null;
  const listenUrl = secretVariable(environment, 'BENCHPORT_DATABASE_LISTEN_URL');
  return {
    database: {
      url: checkedUrl(url, 'BENCHPORT_DATABASE_URL'),
      listenUrl: listenUrl === null ? null : checkedUrl(listenUrl, 'BENCHPORT_DATABASE_LISTEN_URL'),
      connections: connectionsOf(variable(environment, 'BENCHPORT_DATABASE_POOL')),
    },
    libraryDir: absolute(variable(environment, 'BENCHPORT_LIBRARY_DIR')),
    secretKeyFile: absolute(variable(environment, 'BENCHPORT_SECRET_KEY_FILE')),
  };
}

/** @throws CommandError (bad usage) that does not repeat the address, because it holds a password. */
function checkedUrl(text: string, name: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text;
  throw new CommandError(
    `${name} cannot be used. Give an address like postgres://benchport@db.example:5432/benchport.`,
    2,
  );
}

function connectionsOf(text: string | null): number {
  if (text === null) return defaultConnections;
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 2 && count <= maxConnections) return count;
  throw new CommandError(`BENCHPORT_DATABASE_POOL is a number of connections from 2 to ${maxConnections}.`, 2);
}

function absolute(folder: string | null): string | null {
  return folder === null ? null : path.resolve(folder);
}

/** @throws CommandError (bad usage) that names a variable without which a facility cannot be served. */
export function requireSetting<Value>(value: Value | null, option: string, variableName: string): Value {
  if (value === null)
    throw new CommandError(`A service on PostgreSQL needs ${option}, or ${variableName} in the environment.`, 2);
  return value;
}
