import { isConflict, isDuplicate, isOutOfSpace, isTimeout, isUnreachable } from '../postgres/failures.ts';
import { isLocked } from '../sqlite/write-lock.ts';

/**
 * Why a database cannot do now what it can do later: another program writes, the server is away or
 * overloaded, or others changed the same rows again and again. Null for all other errors.
 */
export function temporaryFailure(error: unknown): 'locked' | 'away' | 'contended' | null {
  if (isLocked(error)) return 'locked';
  if (isUnreachable(error)) return 'away';
  // A key that is still taken after the retries is a mistake in a statement, as on SQLite.
  return (isConflict(error) && !isDuplicate(error)) || isTimeout(error) ? 'contended' : null;
}

/** Whether the disk of a PostgreSQL is full. */
export function isServerFull(error: unknown): boolean {
  return isOutOfSpace(error);
}
