import { errorCode } from '../../common/error-code.ts';
import { explainStartFailure } from '../explain-start-failure.ts';
import { explainUnusable } from '../postgres/explain-unusable.ts';
import { isUnreachable } from '../postgres/failures.ts';
import { openPostgresSource } from './postgres-source.ts';
import { openPostgresTarget } from './postgres-target.ts';
import type { MoveSource, MoveTarget } from './sides.ts';
import { openSqliteSource } from './sqlite-source.ts';
import { openSqliteTarget } from './sqlite-target.ts';

/** Both sides of a move: a data directory and a PostgreSQL database. */
export interface MovePlaces {
  readonly to: 'postgres' | 'sqlite';
  /** Its SQLite database is one side. */
  readonly dataDir: string;
  /** `postgres://...`, with the password. */
  readonly url: string;
  /** Whether the target may be created. */
  readonly mayCreate: boolean;
}

/**
 * Opens both sides for some work, keeping services and other moves away from them, and closes them.
 *
 * @throws StartError with a message for the user, and what `work` throws.
 */
export async function withSides<Result>(
  places: MovePlaces,
  work: (source: MoveSource, target: MoveTarget) => Promise<Result>,
): Promise<Result> {
  const { to, dataDir, url } = places;
  try {
    const source = to === 'postgres' ? await openSqliteSource(dataDir) : await openPostgresSource(url);
    try {
      const target =
        to === 'postgres' ? await openPostgresTarget(url) : await openSqliteTarget(dataDir, places.mayCreate);
      try {
        return await work(source, target);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } catch (error) {
    throw explain(error, dataDir, url);
  }
}

function explain(error: unknown, dataDir: string, url: string): unknown {
  const code = errorCode(error);
  const isOfFiles = code.startsWith('SQLITE_') || (error instanceof Error && 'path' in error);
  if (isOfFiles) return explainStartFailure(error, dataDir);
  // Five characters: a code of PostgreSQL (SQLSTATE).
  return isUnreachable(error) || /^[\dA-Z]{5}$/.test(code) ? explainUnusable(error, url) : error;
}
