import type { Actor } from '../http/principal.ts';
import type { ProjectRow } from './projects-store.ts';
import type { Events } from '../common/events.ts';
import type { ChangeCounter } from '../database/change-counter.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<AuditStores, 'audit'> & { readonly events: Events; readonly changes: ChangeCounter };

/**
 * Removes a project: at once for everybody who asks, with its members, its grants and its client keys. Its errors are removed step by
 * step afterwards (remove-hidden-projects.ts), because a million events in one transaction would stop everything else.
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
