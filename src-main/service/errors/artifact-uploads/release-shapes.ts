import { isoTime } from '../../common/iso-time.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { slugsOf } from '../sentry-api/slugs.ts';
import type { AnnouncedReleaseRow, Deploy } from '../store/announced-releases-store.ts';

/** A release in Sentry's shape: one version in all its projects, given by its rows. */
export function announcedShape(rows: readonly AnnouncedReleaseRow[], projects: readonly ProjectRow[]) {
  const [first] = rows;
  if (first === undefined) throw new Error('a release without a row');
  const released = rows.map(({ released_at: at }) => at).filter((at) => at !== null);
  const ofRows = projects.filter(({ id }) => rows.some((row) => row.project_id === id));
  return {
    id: first.id,
    version: first.version,
    shortVersion: first.version,
    status: rows.every(({ archived }) => archived === 1) ? 'archived' : 'open',
    url: first.url,
    dateCreated: isoTime(Math.min(...rows.map(({ created_at: at }) => at))),
    dateReleased: released.length === 0 ? null : isoTime(Math.max(...released)),
    newGroups: 0,
    projects: ofRows.map((project) => ({ id: project.id, slug: slugsOf(project).project, name: project.name })),
  };
}

/** A deploy in Sentry's shape. */
export function deployShape({ id, environment, name, url, started_at, finished_at }: Deploy) {
  return {
    id: String(id),
    environment,
    name,
    url,
    dateStarted: started_at === null ? null : isoTime(started_at),
    dateFinished: isoTime(finished_at),
  };
}
