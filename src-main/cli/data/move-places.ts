import type { MovePlaces } from '../../service/database/moving/open-sides.ts';
import type { CommonOptions } from '../support/command.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { facilityOf } from '../support/facility.ts';
import { requireData } from '../support/require-data.ts';
import { CommandError } from '../support/terminal.ts';

/**
 * Both sides of a move: the target as it was named, and the source of options and environment.
 *
 * @throws CommandError when they are not a data directory and a PostgreSQL.
 */
export function movePlaces(target: string, { data }: CommonOptions, environment: NodeJS.ProcessEnv): MovePlaces {
  const configured = facilityOf(environment)?.database.url ?? null;
  if (isPostgresUrl(target)) {
    if (configured !== null && data === undefined) refuseBetweenPostgres(target, configured);
    const dataDir = dataDirectory(data, environment);
    requireData(dataDir);
    return { to: 'postgres', dataDir, url: target, mayCreate: true };
  }
  const folder = /^sqlite:(?!\/\/[^/])(.+)$/s.exec(target)?.[1];
  if (folder === undefined)
    throw new CommandError('Name the target as postgres://USER@HOST/DATABASE or sqlite:DIR.', 2);
  if (data !== undefined)
    throw new CommandError('The source of a move to sqlite:DIR is a PostgreSQL: leave --data out.', 2);
  if (configured === null)
    throw new CommandError(
      'Name the PostgreSQL that is moved with BENCHPORT_DATABASE_URL or BENCHPORT_DATABASE_URL_FILE.',
      2,
    );
  return { to: 'sqlite', dataDir: dataDirectory(folder, environment), url: configured, mayCreate: true };
}

/** Between two of them PostgreSQL's own programs do it; and which data were meant is not certain. */
function refuseBetweenPostgres(target: string, configured: string): never {
  throw new CommandError(
    target === configured
      ? 'The target is the database that BENCHPORT_DATABASE_URL names, which is the source then. To move a data directory there, name it with --data.'
      : 'BENCHPORT_DATABASE_URL names a PostgreSQL, which is the source then. To move a data directory, name it with --data; between two PostgreSQL use pg_dump and pg_restore.',
    2,
  );
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1;
}
