import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { roleIn, reaches } from '../../projects/require-role.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { pathOf, slugsOf } from '../sentry-api/slugs.ts';
import type { ProjectStores } from '../../projects/stores.ts';

type Deps = Pick<ProjectStores, 'projects'>;

const maxProjects = 50;

/**
 * Returns the projects of an organisation that the user of a request may change as a developer.
 *
 * @param named slugs or numbers from the request; empty for all projects that the user may change
 * @throws HttpProblem 404 for a project that does not exist or is not visible to the user, 403
 * below the role, 400 for too many
 */
export async function developedProjects(
  { projects }: Deps,
  request: FastifyRequest,
  organization: string,
  named: readonly (string | number)[] = [],
): Promise<readonly ProjectRow[]> {
  const principal = principalOf(request);
  if (named.length > maxProjects) throw new HttpProblem(400, `At most ${maxProjects} projects can be named at once.`);
  if (named.length > 0)
    return Promise.all([...new Set(named)].map(async (one) => developed({ projects }, request, organization, one)));
  const own = (await projects.overviews(principal.userId, principal.isAdmin)).filter(
    (project) => project.monitor === 1 && slugsOf(project).organization === organization,
  );
  if (own.length === 0)
    throw new HttpProblem(404, 'There is no such organisation, or you are in none of its projects.');
  const usable: ProjectRow[] = [];
  for (const project of own)
    if (reaches(await roleIn({ projects }, principal, project), 'developer')) usable.push(project);
  if (usable.length === 0)
    throw new HttpProblem(403, 'This needs the role developer in a project of this organisation.');
  return usable;
}

async function developed(
  { projects }: Deps,
  request: FastifyRequest,
  organization: string,
  named: string | number,
): Promise<ProjectRow> {
  const bySlug = await projects.byPath(pathOf({ organization, project: String(named) }));
  const project = bySlug ?? (/^\d{1,15}$/.test(String(named)) ? await projects.byId(Number(named)) : null);
  const role = project && (await roleIn({ projects }, principalOf(request), project));
  if (!project || role === null || project.monitor === 0 || slugsOf(project).organization !== organization) {
    throw new HttpProblem(
      404,
      `There is no project ${JSON.stringify(String(named).slice(0, 100))} in this organisation, or you are not a member of it.`,
    );
  }
  if (!reaches(role, 'developer'))
    throw new HttpProblem(
      403,
      `This needs the role developer in ${project.path}. Yours is ${role}; an owner of the project can change it.`,
    );
  return project;
}
