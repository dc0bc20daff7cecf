import type { TokenAssociations } from '../contract/accounts.ts';
import { isoTime } from '../common/iso-time.ts';
import type { Membership, ProjectRole } from './projects-store.ts';

/** GitLab's numeric access levels of the roles. */
export const accessLevels: Readonly<Record<ProjectRole, number>> = {
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
};

/** The projects of a user with at least the given access level, in GitLab's representation. */
export function associationsOf(
  memberships: readonly Membership[],
  minLevel: number,
  baseUrl: string,
): TokenAssociations['projects'] {
  return memberships
    .filter(({ role }) => accessLevels[role] >= minLevel)
    .map(({ id, path, name, created_at, role }) => ({
      id,
      description: null,
      name,
      name_with_namespace: name,
      path: path.slice(path.lastIndexOf('/') + 1),
      path_with_namespace: path,
      created_at: isoTime(created_at),
      access_levels: { project_access_level: accessLevels[role], group_access_level: null },
      visibility: 'private',
      web_url: `${baseUrl}/${path}`,
    }));
}
