import { isoTime } from '../common/iso-time.ts';
import { maxRetentionDays } from '../contract/projects.ts';
import type { RunError, RunErrors, RunErrorsQuery } from '../contract/timeline/run-errors.ts';
import { invalidCursor, readCursor, writeCursor } from '../http/pagination.ts';
import type { Principal } from '../http/principal.ts';
import type { MeasurementRow } from '../measurements/store/measurements-store.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import { lookedProjects, type LookedProject } from './looked-projects.ts';
import { unitMs, windowOf, type RunWindow } from './store/run-window.ts';
import type { TimelineStores } from './store/stores.ts';
import type { WindowCount } from './store/window-errors-store.ts';

type Deps = Pick<ProjectStores, 'projects'> & Pick<MeasurementStores, 'grants'> & Pick<TimelineStores, 'windowErrors'>;

const order = 'events';
const dayMs = 86_400_000;

/**
 * Returns a page of the errors that have events while a measurement was taken, the most frequent
 * first, with the events over time on the first page.
 *
 * @throws HttpProblem 400 for a cursor of another list, 404 for a project that the caller may not see.
 */
export async function errorsOfRun(
  deps: Deps,
  principal: Principal,
  { id, began_at: began, ended_at: ended }: Pick<MeasurementRow, 'id' | 'began_at' | 'ended_at'>,
  query: RunErrorsQuery,
): Promise<RunErrors> {
  const after = query.cursor === undefined ? null : readPosition(query.cursor);
  const { projects, more } = await lookedProjects(deps, principal, id, query.project);
  const known = began === null || ended === null ? null : { began, ended, window: windowOf(began, ended) };
  const window = known?.window ?? null;
  const head = {
    state: known === null ? ('unknown' as const) : window === null ? ('too_long' as const) : ('known' as const),
    span_days: known === null ? null : Math.ceil((known.ended - known.began) / dayMs),
    kept_days: maxRetentionDays,
    projects: [...projects],
    more_projects: more,
  };
  if (known === null || window === null)
    return { ...head, window: null, step_seconds: 0, steps: [], errors: [], total: 0, complete: true, next: null };
  const here = projects.filter(({ external }) => !external).map((project) => project.id);
  const { counts, steps, complete } = await deps.windowErrors.counts(here, window);
  const sorted = counts.toSorted(compare);
  const rest = after === null ? sorted : sorted.filter((one) => compare(after, one) < 0);
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  return {
    ...head,
    window: {
      began_at: isoTime(known.began),
      ended_at: isoTime(known.ended),
      from: isoTime(window.from * unitMs[window.unit]),
      until: isoTime(window.until * unitMs[window.unit]),
    },
    step_seconds: (window.step * unitMs[window.unit]) / 1000,
    steps: after === null ? [...steps] : [],
    errors: await shapes(deps, page, window, projects),
    total: counts.length,
    complete,
    next: last !== undefined && rest.length > page.length ? writeCursor(order, last.events, last.errorId) : null,
  };
}

type Position = Pick<WindowCount, 'events' | 'errorId'>;

function compare(one: Position, other: Position): number {
  return other.events - one.events || one.errorId - other.errorId;
}

function readPosition(cursor: string): Position {
  const { key: events, id: errorId } = readCursor(cursor, order);
  if (typeof events === 'string' || typeof errorId === 'string') throw invalidCursor();
  return { events, errorId };
}

/** An error that was deleted since it was counted is left out. */
async function shapes(
  { windowErrors }: Pick<TimelineStores, 'windowErrors'>,
  page: readonly WindowCount[],
  { unit }: RunWindow,
  projects: readonly LookedProject[],
): Promise<RunError[]> {
  const rows = new Map((await windowErrors.rows(page.map(({ errorId }) => errorId))).map((row) => [row.id, row]));
  const paths = new Map(projects.map(({ id, path }) => [id, path]));
  return page.flatMap(({ errorId, events, first, last }) => {
    const row = rows.get(errorId);
    if (!row) return [];
    const { type, value, culprit, level, status, project_id: project } = row;
    return {
      id: String(errorId),
      title: [type, value].filter((part) => part !== '').join(': '),
      culprit,
      level,
      status,
      project: { id: project, path: paths.get(project) ?? '' },
      events,
      first_at: isoTime(first * unitMs[unit]),
      last_at: isoTime(last * unitMs[unit]),
    };
  });
}
