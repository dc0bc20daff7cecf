import { HttpProblem, invalidRequest } from '../http/problem.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../tokens/principal.ts';
import { isProjectPath } from './project-path.ts';
import type { ProjectRow } from './projects-store.ts';

type Needs = Pick<Services, 'projects' | 'users' | 'audit' | 'changes' | 'events'>;

/**
 * Adds a project.
 *
 * @param owner user name of its first member, or null for a project without members.
 * @throws HttpProblem 400 for a path that cannot be, 404 for an unknown owner, 409 when the path is taken.
 */
export async function createProject(
  services: Needs,
  wish: { readonly path: string; readonly name: string | null; readonly owner: string | null },
  by: Actor,
): Promise<ProjectRow> {
  if (!isProjectPath(wish.path)) {
    throw invalidRequest(
      `${wish.path} cannot be the path of a project. Give names of letters, digits, dots, dashes and underscores, separated by "/", such as lab/qmr.`,
    );
  }
  const owner = wish.owner === null ? null : await services.users.byUsername(wish.owner);
  if (wish.owner !== null && !owner) throw new HttpProblem(404, `There is no user ${wish.owner}.`);
  const project = await services.projects.create(wish.path, wish.name ?? wish.path.slice(wish.path.lastIndexOf('/') + 1));
  if (!project) throw new HttpProblem(409, `There is a project ${wish.path} already.`, { type: 'taken' });
  if (owner) await services.projects.setMember(project.id, owner.id, 'owner');
  services.changes.bump();
  await services.audit.record({ ...by, action: 'project.create', subject: `project:${project.id}`, detail: project.path });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
  return project;
}
