import type { Services } from '../services.ts';
import type { Actor } from '../http/principal.ts';
import type { ProjectRow } from './projects-store.ts';

type Needs = Pick<Services, 'projects' | 'audit' | 'changes' | 'events'>;

/**
 * Removes a project: at once for everybody who asks, with its members, its grants and its client keys. Its errors are removed step by
 * step afterwards (remove-hidden-projects.ts), because a million events in one transaction would stop everything else.
 */
export async function removeProject(services: Needs, project: ProjectRow, by: Actor): Promise<void> {
  await services.projects.hide(project.id);
  services.changes.bump();
  await services.audit.record({ ...by, action: 'project.remove', subject: `project:${project.id}`, detail: project.path });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
  services.events.emit('changed', { topic: 'measurements' });
}
