import type { ProjectRow } from '../../projects/projects-store.ts';

/**
 * Sentry's pair of organisation and project: `lab/qmr` is project `qmr` of `lab`, and
 * `lab/bench/qmr` of `lab~bench`, because neither slug may contain a slash. No path contains a
 * tilde or begins with a dash, so the conversion is unambiguous in both directions.
 */
export interface Slugs {
  readonly organization: string;
  readonly project: string;
}

const none = '-';

/** Returns the slugs of a project. */
export function slugsOf({ path }: Pick<ProjectRow, 'path'>): Slugs {
  const at = path.lastIndexOf('/');
  return { organization: at < 0 ? none : path.slice(0, at).replaceAll('/', '~'), project: path.slice(at + 1) };
}

/** Returns the path of the project that the slugs name, whether or not it exists. */
export function pathOf({ organization, project }: Slugs): string {
  return organization === none ? project : `${organization.replaceAll('~', '/')}/${project}`;
}
