import { isoTime } from '../common/iso-time.ts';
import type { ErrorRuns, ErrorRunsQuery } from '../contract/timeline/run-errors.ts';
import { findError } from '../errors/issues/error-detail.ts';
import type { ErrorStores } from '../errors/store/stores.ts';
import { invalidCursor, readCursor, writeCursor } from '../http/pagination.ts';
import type { Principal } from '../http/principal.ts';
import type { ProjectRow } from '../projects/projects-store.ts';
import type { TimelineStores } from './store/stores.ts';

type Deps = Pick<ErrorStores, 'errorDetails'> & Pick<TimelineStores, 'touchedRuns'>;

const order = 'registered';
/** File times are at most a day ahead of the registration, and a window begins before them. */
const registeredBeforeMs = 2 * 86_400_000;

/**
 * Returns a page of the measurements that the caller may read and in whose windows an error has
 * events, the last registered first.
 *
 * @throws HttpProblem 400 for a cursor of another list, 404 when the project has no such error.
 */
export async function runsOfError(
  deps: Deps,
  principal: Pick<Principal, 'userId' | 'isAdmin'>,
  project: ProjectRow,
  errorId: string,
  { cursor, limit }: ErrorRunsQuery,
): Promise<ErrorRuns> {
  const after = cursor === undefined ? null : readPosition(cursor);
  const error = await findError(deps, project.id, errorId);
  const { runs, next } = await deps.touchedRuns.page({
    visibleTo: principal.isAdmin ? null : principal.userId,
    errorId: error.id,
    firstSeen: error.first_seen,
    lastSeen: error.last_seen,
    registeredSince: error.first_seen - registeredBeforeMs,
    after,
    limit,
    now: Date.now(),
  });
  return {
    measurements: runs.map(({ id, title, began_at: began, ended_at: ended, events }) => ({
      id,
      title,
      began_at: isoTime(began),
      ended_at: isoTime(ended),
      events,
    })),
    next: next === null ? null : writeCursor(order, next.key, next.id),
  };
}

function readPosition(cursor: string): { readonly key: number; readonly id: string } {
  const { key, id } = readCursor(cursor, order);
  if (typeof key === 'string' || typeof id === 'number') throw invalidCursor();
  return { key, id };
}
