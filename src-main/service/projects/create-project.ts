import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import type { ProjectRow } from './projects-store.ts';

type Needs = Pick<Services, 'projects' | 'users' | 'audit' | 'changes' | 'events'>;

// A path becomes part of addresses: segments as GitLab allows them, and none that is an address of the service itself.
const segment = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;
const reserved = new Set(['-', 'api', 'assets', 'measurements', 'oauth', 'profile', 'ui', 'user_settings', 'users']);

/**
 * Adds a project.
 *
 * @param owner user name of its first member, or null for a project without members.
 * @throws HttpProblem 400 for a path that cannot be, 404 for an unknown owner, 409 when the path is taken.
 */
export async function createProject(
  services: Needs,
  wish: { readonly path: string; readonly name: string | null; readonly owner: string | null },
  by: number | null,
): Promise<ProjectRow> {
  const segments = wish.path.split('/');
  if (wish.path.length > 255 || !segments.every((part) => segment.test(part)) || reserved.has(segments[0]?.toLowerCase() ?? '')) {
    throw new HttpProblem(
      400,
      `${wish.path} cannot be the path of a project. Give names of letters, digits, dots, dashes and underscores, separated by "/", such as lab/qmr.`,
    );
  }
  const owner = wish.owner === null ? null : await services.users.byUsername(wish.owner);
  if (wish.owner !== null && !owner) throw new HttpProblem(404, `There is no user ${wish.owner}.`);
  const project = await services.projects.create(wish.path, wish.name ?? segments.at(-1) ?? wish.path);
  if (!project) throw new HttpProblem(409, `There is a project ${wish.path} already.`, { type: 'taken' });
  if (owner) await services.projects.setMember(project.id, owner.id, 'owner');
  services.changes.bump();
  await services.audit.record({ userId: by, action: 'project.create', subject: `project:${project.id}`, detail: project.path });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
  return project;
}
