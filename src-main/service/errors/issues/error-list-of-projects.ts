import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorPageOfProjects } from '../../contract/error-overview.ts';
import type { ErrorListQuery } from '../../contract/errors.ts';
import type { Principal } from '../../http/principal.ts';
import { writeCursor } from '../../http/pagination.ts';
import { readErrorCursor } from './error-list-cursor.ts';
import { readErrorSearch } from '../store/list/error-list-search.ts';
import type { ErrorRow } from '../store/list/error-rows.ts';
import { hourBars } from './error-list.ts';
import { summaryShape } from './error-shapes.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';

/** Number of projects after which the loop yields to other requests. */
const projectsPerTurn = 8;

type Deps = Pick<ProjectStores, 'projects'> & Pick<ErrorStores, 'errorList'>;

/**
 * Returns one page of the errors of all projects that the caller may see and whose errors are
 * stored by this service. Each project is read by its own index, beginning at the cursor; ids are
 * unique across projects, so one cursor serves all of them.
 *
 * @throws HttpProblem 400 for a search or a cursor that cannot be read.
 */
export async function listErrorsOfProjects(
  deps: Deps,
  principal: Pick<Principal, 'userId' | 'isAdmin'>,
  query: ErrorListQuery,
): Promise<ErrorPageOfProjects> {
  const search = readErrorSearch(query.query);
  const sort = query.sort ?? 'last_seen';
  const after = query.cursor === undefined ? null : readErrorCursor(query.cursor, sort);
  const seen = await deps.projects.overviews(principal.userId, principal.isAdmin);
  const projects = seen.filter(({ monitor, integrated }) => monitor === 1 && integrated === 1);
  const best = new BestRows(sort, query.limit + 1);
  let total = 0;
  let complete = true;
  for (const [index, { id }] of projects.entries()) {
    if (index % projectsPerTurn === projectsPerTurn - 1) await nextTurn();
    // One row more than is shown tells whether there is another page.
    const found = await deps.errorList.page({ projectId: id, search, sort, after, limit: query.limit + 1 });
    best.add(found);
    if (after !== null) continue;
    const counted =
      found.length > query.limit ? await deps.errorList.count(id, search) : { count: found.length, complete: true };
    total += counted.count;
    complete &&= counted.complete;
  }
  const rows = best.rows.slice(0, query.limit);
  const last = rows.at(-1);
  const barsOf = await hourBars(
    deps,
    rows.map(({ id }) => id),
  );
  const paths = new Map(projects.map(({ id, path }) => [id, path]));
  return {
    errors: rows.map((row) => ({
      ...summaryShape(row, barsOf.get(row.id) ?? []),
      project: { id: row.project_id, path: paths.get(row.project_id) ?? '' },
    })),
    next: last !== undefined && best.rows.length > rows.length ? writeCursor(sort, last[sort], last.id) : null,
    total: after === null && complete ? total : null,
  };
}

/**
 * Selects the first rows of several sorted lists. Never holds more than twice the requested number.
 */
class BestRows {
  readonly #sort: NonNullable<ErrorListQuery['sort']>;
  readonly #limit: number;
  #rows: readonly ErrorRow[] = [];

  constructor(sort: NonNullable<ErrorListQuery['sort']>, limit: number) {
    this.#sort = sort;
    this.#limit = limit;
  }

  add(more: readonly ErrorRow[]): void {
    const sort = this.#sort;
    this.#rows = [...this.#rows, ...more]
      .toSorted((one, other) => other[sort] - one[sort] || one.id - other.id)
      .slice(0, this.#limit);
  }

  get rows(): readonly ErrorRow[] {
    return this.#rows;
  }
}
