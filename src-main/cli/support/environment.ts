import { readFileSync } from 'node:fs';
import { CommandError } from './terminal.ts';

/** Variables of a facility or a server, each also an option of `serve`. */
export const facilityVariables = [
  'BENCHPORT_DATABASE_URL',
  'BENCHPORT_DATABASE_URL_FILE',
  'BENCHPORT_DATABASE_POOL',
  'BENCHPORT_DATABASE_LISTEN_URL',
  'BENCHPORT_DATABASE_LISTEN_URL_FILE',
  'BENCHPORT_LIBRARY_DIR',
  'BENCHPORT_SECRET_KEY_FILE',
  'BENCHPORT_BASE_URL',
  'BENCHPORT_TRUSTED_PROXIES',
  'BENCHPORT_ACCESS_GRACE',
  'BENCHPORT_REPLICA',
  'BENCHPORT_S3_ENDPOINT',
  'BENCHPORT_S3_REGION',
  'BENCHPORT_S3_BUCKET',
  'BENCHPORT_S3_PREFIX',
  'BENCHPORT_S3_ACCESS_KEY_ID',
  'BENCHPORT_S3_ACCESS_KEY_ID_FILE',
  'BENCHPORT_S3_SECRET_ACCESS_KEY',
  'BENCHPORT_S3_SECRET_ACCESS_KEY_FILE',
  'BENCHPORT_S3_PATH_STYLE',
  'BENCHPORT_S3_CA',
  'BENCHPORT_S3_GRACE',
  'BENCHPORT_CACHE_DIR',
  'BENCHPORT_CACHE_BYTES',
] as const;

export type FacilityVariable = (typeof facilityVariables)[number];

// URL, token and certificate are for the examples of the guides and for the Python client.
const others = [
  'BENCHPORT_CA',
  'BENCHPORT_CERTIFICATE',
  'BENCHPORT_DATA',
  'BENCHPORT_LOG',
  'BENCHPORT_NO_KERNEL',
  'BENCHPORT_TOKEN',
  'BENCHPORT_TOKEN_FILE',
  'BENCHPORT_URL',
];
const known: ReadonlySet<string> = new Set([...facilityVariables, ...others]);
// Set by scripts of the development and by tests.
const development = /^BENCHPORT_(DEV|TEST|ELECTRON|UNHANDLED|WORKER)(_|$)/;

/**
 * A misspelt variable would leave its setting at the default without a word.
 *
 * @throws CommandError (bad usage) that names the variables which nothing reads.
 */
export function refuseUnknownVariables(environment: NodeJS.ProcessEnv): void {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('BENCHPORT_') && !known.has(name) && !development.test(name),
  );
  if (unknown.length === 0) return;
  throw new CommandError(
    `Benchport does not know the environment variable ${unknown.toSorted().join(', ')}. Those for "serve" are ${[...known].toSorted().join(', ')}.`,
    2,
  );
}

/** A variable, or null when it is missing or empty. */
export function variable(environment: NodeJS.ProcessEnv, name: FacilityVariable): string | null {
  const value = environment[name];
  return value === undefined || value === '' ? null : value;
}

/**
 * A secret from a variable, or from the file that the variable with `_FILE` names.
 *
 * @throws CommandError if both are given or the file cannot be read.
 */
export function secretVariable(
  environment: NodeJS.ProcessEnv,
  name:
    | 'BENCHPORT_DATABASE_URL'
    | 'BENCHPORT_DATABASE_LISTEN_URL'
    | 'BENCHPORT_S3_ACCESS_KEY_ID'
    | 'BENCHPORT_S3_SECRET_ACCESS_KEY',
): string | null {
  const value = variable(environment, name);
  const file = variable(environment, `${name}_FILE`);
  if (file === null) return value;
  if (value !== null) throw new CommandError(`Give either ${name} or ${name}_FILE.`, 2);
  return readSecretFile(file);
}

/** The content of a file without the line end. @throws CommandError */
function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
