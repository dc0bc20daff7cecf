import type { ErrorStatus } from '../../contract/errors.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { Actor } from '../../http/principal.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ErrorStores, 'errorChanges'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'events'>;

/**
 * Resolves, ignores or reopens errors. Errors that do not exist or have the status already are
 * skipped.
 */
export async function setErrorStatus(
  services: Deps,
  project: ProjectRow,
  ids: readonly string[],
  status: ErrorStatus,
  by: Actor,
): Promise<void> {
  const changed = await services.errorChanges.setStatus(project.id, ids.map(Number), status, Date.now());
  if (changed > 0) await recordChange(services, project, 'error.status', `${changed} ${status} in ${project.path}`, by);
}

/** Deletes errors with all their rows; a later event creates a new error. */
export async function deleteErrors(
  services: Deps,
  project: ProjectRow,
  ids: readonly string[],
  by: Actor,
): Promise<void> {
  for (const id of ids) {
    if (!Number.isSafeInteger(Number(id))) throw new HttpProblem(400, `${id} is not the number of an error.`);
    // In small steps: an error may have a million events, and one long transaction would delay all
    // other writes.
    while (!(await services.errorChanges.removeSome(project.id, Number(id))));
  }
  await recordChange(services, project, 'error.delete', `${ids.join(', ')} of ${project.path}`.slice(0, 1000), by);
}

async function recordChange(
  services: Deps,
  project: ProjectRow,
  action: string,
  detail: string,
  by: Actor,
): Promise<void> {
  await services.audit.record({ ...by, action, subject: `project:${project.id}`, detail });
  services.events.emit('changed', { topic: 'errors', id: String(project.id) });
}
