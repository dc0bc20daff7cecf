import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRole, ProjectRow } from '../../projects/projects-store.ts';
import { requireProject } from '../../projects/require-role.ts';
import type { ProjectStores } from '../../projects/stores.ts';

/**
 * Returns the project whose errors a request addresses.
 *
 * @throws HttpProblem 404 for a project that the user may not see, and while Monitor is off; 403
 * below the role.
 */
export async function errorProject(
  deps: Pick<ProjectStores, 'projects'>,
  request: FastifyRequest<{ Params: { readonly id: string } }>,
  needed: ProjectRole,
): Promise<ProjectRow> {
  const project = await requireProject(deps, request, needed);
  if (project.monitor === 0)
    throw new HttpProblem(404, 'Monitor is off for this project. Switch it on in the settings of the project.', {
      type: 'monitor-off',
    });
  return project;
}

/** Refuses requests that only the integrated backend supports. */
export function refuseExternal(kind: 'integrated' | 'external'): void {
  if (kind === 'external') {
    throw new HttpProblem(409, 'The errors of this project are stored by an external backend. Do this there.', {
      type: 'external-backend',
    });
  }
}
