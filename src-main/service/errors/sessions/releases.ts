import type { ReleaseHealth } from '../../contract/errors.ts';
import type { ReleaseDayRow } from '../store/releases-store.ts';
import type { ErrorStores } from '../store/stores.ts';

const day = 24 * 3600_000;
const shownDays = 14;
const maxReleases = 50;

/**
 * Returns the shares of crash-free sessions and users by release and environment, of the last 14
 * days; the most recently used release first.
 */
export async function releaseHealth(deps: Pick<ErrorStores, 'releases'>, projectId: number): Promise<ReleaseHealth[]> {
  const from = Math.floor(Date.now() / day) - shownDays + 1;
  const byRelease = new Map<string, ReleaseDayRow[]>();
  for (const row of await deps.releases.days(projectId, from)) {
    const key = JSON.stringify([row.release, row.environment]);
    const rows = byRelease.get(key) ?? [];
    rows.push(row);
    byRelease.set(key, rows);
  }
  const newest = [...byRelease.values()]
    .toSorted((a, b) => (b.at(-1)?.day ?? 0) - (a.at(-1)?.day ?? 0))
    .slice(0, maxReleases);
  return Promise.all(newest.map(async (rows) => healthOf(deps, projectId, rows, from)));
}

async function healthOf(
  deps: Pick<ErrorStores, 'releases'>,
  projectId: number,
  rows: readonly ReleaseDayRow[],
  from: number,
): Promise<ReleaseHealth> {
  const { release = '', environment = '' } = rows[0] ?? {};
  const all = await deps.releases.users(projectId, release, environment, from);
  const users = new Map(
    (await deps.releases.usersByDay(projectId, release, environment, from)).map((one) => [one.day, one]),
  );
  const sum = (column: 'sessions' | 'crashed') => rows.reduce((total, row) => total + row[column], 0);
  return {
    release,
    environment,
    sessions: sum('sessions'),
    crash_free_sessions: crashFree(sum('sessions'), sum('crashed')),
    users: all.users,
    crash_free_users: crashFree(all.users, all.crashed),
    days: rows.map((row) => {
      const ofDay = users.get(row.day);
      return {
        day: new Date(row.day * day).toISOString().slice(0, 10),
        sessions: row.sessions,
        crash_free_sessions: crashFree(row.sessions, row.crashed),
        users: ofDay?.users ?? 0,
        crash_free_users: crashFree(ofDay?.users ?? 0, ofDay?.crashed ?? 0),
      };
    }),
  };
}

function crashFree(all: number, crashed: number): number | null {
  return all === 0 ? null : Math.max(0, 1 - crashed / all);
}
