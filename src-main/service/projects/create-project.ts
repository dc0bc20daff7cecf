import { HttpProblem, invalidRequest } from '../common/problem.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import type { Actor } from '../http/principal.ts';
import { isProjectPath } from '../../../src-shared/project-path.ts';
import type { ProjectRow } from './projects-store.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Creates a project. Its owner becomes its first member; null for a project without members.
 *
 * @throws HttpProblem 400 for an invalid path, 409 when the path is taken.
 */
export async function createProject(
  services: Deps,
  input: { readonly path: string; readonly name: string | null; readonly ownerId: number | null },
  by: Actor,
): Promise<ProjectRow> {
  if (!isProjectPath(input.path)) {
    throw invalidRequest(
      `${input.path} cannot be the path of a project. Use names of letters, digits, dots, dashes and underscores, separated by "/", such as lab/qmr.`,
    );
  }
  if (input.name !== null) requireReadable('The name', input.name);
  const project = await services.projects.create(
    input.path,
    input.name ?? input.path.slice(input.path.lastIndexOf('/') + 1),
  );
  if (!project) throw new HttpProblem(409, `There is already a project ${input.path}.`, { type: 'taken' });
  if (input.ownerId !== null) await services.projects.setMember(project.id, input.ownerId, 'owner');
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: 'project.create',
    subject: `project:${project.id}`,
    detail: project.path,
  });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
  return project;
}
