import type { ProjectRow } from '../../projects/projects-store.ts';

/**
 * A project by Sentry's pair of organisation and project: `lab/qmr` is project `qmr` of `lab`, and `lab/bench/qmr` of `lab~bench`, because neither of the
 * two may hold a slash. No path has a tilde, and none begins with a dash, so both ways are unambiguous.
 */
export interface Slugs {
  readonly organization: string;
  readonly project: string;
}

const none = '-';

/** The pair of a project. */
export function slugsOf({ path }: Pick<ProjectRow, 'path'>): Slugs {
  const at = path.lastIndexOf('/');
  return { organization: at < 0 ? none : path.slice(0, at).replaceAll('/', '~'), project: path.slice(at + 1) };
}

/** The path of the project that a pair names, whether or not there is one. */
export function pathOf({ organization, project }: Slugs): string {
  return organization === none ? project : `${organization.replaceAll('~', '/')}/${project}`;
}
