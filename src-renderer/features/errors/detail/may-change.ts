import type { Project } from '../../../api/requests/types.ts';

/**
 * Whether the caller may resolve, ignore and merge the errors of a project: developers and above.
 */
export function mayChange(project: Project): boolean {
  return project.may_manage || (project.role !== null && project.role !== 'reporter');
}

/**
 * Whether the caller may delete errors: maintainers and owners, and never errors of another
 * backend.
 */
export function mayDelete(project: Project): boolean {
  return (
    project.error_tracking.integrated &&
    (project.may_manage || project.role === 'maintainer' || project.role === 'owner')
  );
}
