import type { FastifyRequest } from 'fastify';
import { principalOf } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import { findProject } from './find-project.ts';
import type { Principal } from '../http/principal.ts';
import { projectRoles, type ProjectRole, type ProjectRow, type ProjectsStore } from './projects-store.ts';

/** Whether a role includes the rights of another one. */
export function reaches(role: ProjectRole | null, needed: ProjectRole): boolean {
  return role !== null && projectRoles.indexOf(role) >= projectRoles.indexOf(needed);
}

/**
 * The role of a user in a project: administrators are owners, others have that of their membership;
 * null without one.
 */
export async function roleIn(
  deps: { readonly projects: ProjectsStore },
  principal: Principal,
  project: ProjectRow,
): Promise<ProjectRole | null> {
  return principal.isAdmin ? 'owner' : deps.projects.roleOf(project.id, principal.userId);
}

/**
 * Requires that the user has at least this role in the project.
 *
 * @param project null when it does not exist: the response equals that for a project the user may
 * not see.
 * @throws HttpProblem 404 for a project that the user is not a member of, 403 below the role.
 */
export async function requireRole(
  deps: { readonly projects: ProjectsStore },
  request: FastifyRequest,
  project: ProjectRow | null,
  needed: ProjectRole,
): Promise<ProjectRow> {
  const role = project === null ? null : await roleIn(deps, principalOf(request), project);
  if (project === null || role === null) {
    throw new HttpProblem(404, 'There is no such project, or you are not a member of it.', {
      gitlab: '404 Project Not Found',
    });
  }
  if (!reaches(role, needed))
    throw new HttpProblem(
      403,
      `This needs the role ${needed} in ${project.path}. Yours is ${role}; an owner of the project can change it.`,
    );
  return project;
}

/** Requires that the user has at least this role in the project that the address names by `:id`. */
export async function requireProject(
  deps: { readonly projects: ProjectsStore },
  request: FastifyRequest<{ Params: { readonly id: string } }>,
  needed: ProjectRole,
): Promise<ProjectRow> {
  return requireRole(deps, request, await findProject(deps, request.params.id), needed);
}
