import type { Project } from '../contract/projects.ts';
import { isoTime } from '../common/iso-time.ts';
import type { Principal } from '../http/principal.ts';
import type { ProjectOverview } from './projects-store.ts';
import { reaches } from './require-role.ts';

/** A project as the caller sees it. */
export function projectShape(row: ProjectOverview, principal: Principal): Project {
  return {
    id: row.id,
    path: row.path,
    path_with_namespace: row.path,
    name: row.name,
    monitor: row.monitor === 1,
    role: row.role,
    may_manage: principal.isAdmin || reaches(row.role, 'maintainer'),
    error_tracking: { active: row.active === 1, integrated: row.integrated === 1, unresolved: row.unresolved },
    created_at: isoTime(row.created_at),
  };
}
