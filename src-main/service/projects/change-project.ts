import type { ProjectChange } from '../contract/projects.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import type { Actor } from '../http/principal.ts';
import type { ProjectRow } from './projects-store.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Renames a project, or switches Monitor on or off: without it the project has no error screens and
 * accepts no errors.
 */
export async function changeProject(
  services: Deps,
  project: ProjectRow,
  change: ProjectChange,
  by: Actor,
): Promise<void> {
  const name = change.name?.trim() ?? project.name;
  requireReadable('The name', name, project.name);
  const monitor = change.monitor ?? project.monitor === 1;
  const said = [
    name === project.name ? '' : `name ${name}`,
    monitor === (project.monitor === 1) ? '' : `Monitor ${monitor ? 'on' : 'off'}`,
  ];
  const detail = said.filter((part) => part !== '').join(', ');
  if (detail === '') return;
  await services.projects.change(project.id, name, monitor);
  services.changes.bump();
  await services.audit.record({ ...by, action: 'project.change', subject: `project:${project.id}`, detail });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
}
