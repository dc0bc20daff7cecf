import type { Actor } from '../http/principal.ts';
import type { ProjectRow } from './projects-store.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Removes a project: its members, grants and client keys at once, its errors in steps afterwards
 * (remove-hidden-projects.ts), because deleting a million events in one transaction would block all
 * other work.
 */
export async function removeProject(services: Deps, project: ProjectRow, by: Actor): Promise<void> {
  await services.projects.hide(project.id);
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: 'project.remove',
    subject: `project:${project.id}`,
    detail: project.path,
  });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
  services.events.emit('changed', { topic: 'measurements' });
}
