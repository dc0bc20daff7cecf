import type { ErrorListQuery, ErrorPage } from '../../contract/errors.ts';
import { writeCursor } from '../../http/pagination.ts';
import { readErrorCursor } from './error-list-cursor.ts';
import { readErrorSearch } from '../store/list/error-list-search.ts';
import { bars, summaryShape } from './error-shapes.ts';
import type { ErrorStores } from '../store/stores.ts';

const hour = 3600_000;
const shownHours = 24;

/**
 * Returns one page of a project's errors. The total is counted for the first page only, up to
 * 10,000.
 */
export async function listErrors(
  deps: Pick<ErrorStores, 'errorList'>,
  projectId: number,
  query: ErrorListQuery,
): Promise<ErrorPage> {
  const search = readErrorSearch(query.query);
  const sort = query.sort ?? 'last_seen';
  const after = query.cursor === undefined ? null : readErrorCursor(query.cursor, sort);
  // One row more than is shown tells whether there is another page.
  const found = await deps.errorList.page({ projectId, search, sort, after, limit: query.limit + 1 });
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  // On PostgreSQL both are at work at the same time.
  const [barsOf, total] = await Promise.all([
    hourBars(
      deps,
      rows.map(({ id }) => id),
    ),
    after === null ? totalOf() : null,
  ]);
  return {
    errors: rows.map((row) => summaryShape(row, barsOf.get(row.id) ?? [])),
    next: last && found.length > rows.length ? writeCursor(sort, last[sort], last.id) : null,
    total,
  };
  /** A list that fits on one page needs no counting. */
  async function totalOf(): Promise<number | null> {
    if (found.length === rows.length) return rows.length;
    const { count, complete } = await deps.errorList.count(projectId, search);
    return complete ? count : null;
  }
}

/**
 * Returns the events of errors in each of the last 24 hours, oldest first, by the id of the error.
 */
export async function hourBars(
  deps: Pick<ErrorStores, 'errorList'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const thisHour = Math.floor(Date.now() / hour);
  const counts = new Map(ids.map((id) => [id, new Map<number, number>()]));
  for (const one of await deps.errorList.hours(ids, thisHour - shownHours + 1))
    counts.get(one.errorId)?.set(one.hour, one.events);
  return new Map([...counts].map(([id, ofError]) => [id, bars(ofError, thisHour, shownHours)]));
}
