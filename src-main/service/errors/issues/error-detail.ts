import type { ErrorDetail } from '../../contract/errors.ts';
import { HttpProblem } from '../../common/problem.ts';
import { isoTime } from '../../common/iso-time.ts';
import { firstOfReleases } from './error-detail-releases.ts';
import { tagDistribution } from './error-detail-tags.ts';
import type { ErrorRow } from '../store/list/error-rows.ts';
import { bars, summaryShape } from './error-shapes.ts';
import type { ErrorStores } from '../store/stores.ts';

const hour = 3600_000;
const day = 24 * hour;
const shownHours = 24;
const shownDays = 14;

/**
 * Finds the error of a project that an address names.
 *
 * @throws HttpProblem 404 when it does not exist or belongs to another project.
 */
export async function findError(
  deps: Pick<ErrorStores, 'errorDetails'>,
  projectId: number,
  id: string,
): Promise<ErrorRow> {
  const row = /^\d{1,15}$/.test(id) ? await deps.errorDetails.byId(projectId, Number(id)) : null;
  if (!row)
    throw new HttpProblem(
      404,
      'There is no such error in this project. It may have been deleted or merged into another one.',
    );
  return row;
}

/** Returns the content of the detail view of an error, without its events. */
export async function errorDetail(
  deps: Pick<ErrorStores, 'errorDetails' | 'errorEventList'>,
  projectId: number,
  id: string,
): Promise<ErrorDetail> {
  const row = await findError(deps, projectId, id);
  const store = deps.errorDetails;
  const groups = await store.groups(row.id);
  const now = Date.now();
  const today = Math.floor(now / day);
  const firstDay = today - shownDays + 1;
  const byHour = new Map<number, number>();
  const byDay = new Map<number, number>();
  for (const one of await store.hours(row.id, firstDay * (day / hour))) {
    byHour.set(one.hour, one.events);
    const ofDay = Math.floor(one.hour / (day / hour));
    byDay.set(ofDay, (byDay.get(ofDay) ?? 0) + one.events);
  }
  return {
    ...summaryShape(row, bars(byHour, Math.floor(now / hour), shownHours)),
    days: bars(byDay, today, shownDays),
    releases: await firstOfReleases(store, groups, firstDay * day),
    tags: await tagDistribution(
      store,
      groups.map((group) => group.id),
    ),
    groups: groups.map((group) => ({
      id: String(group.id),
      events: group.events,
      first_seen: isoTime(group.first_seen),
      last_seen: isoTime(group.last_seen),
    })),
    stored_events: await deps.errorEventList.count(row.id),
    backend: 'integrated',
    external_url: null,
  };
}
