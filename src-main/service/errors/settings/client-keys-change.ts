import { randomBytes } from 'node:crypto';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { Actor } from '../../http/principal.ts';
import type { ClientKeyRow } from '../store/client-keys-store.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ErrorStores, 'clientKeys'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

const randomLength = 16;

/** Creates a client key for a project, also before error tracking is switched on. */
export async function createClientKey(services: Deps, project: ProjectRow, by: Actor): Promise<ClientKeyRow> {
  const row = await services.clientKeys.create(project.id, newPublicKey());
  await recordChange(services, project, 'client-key.create', row, by);
  return row;
}

/**
 * Creates the key of a project that accepts errors and has none, as GitLab does when settings are
 * saved, so that there is a DSN to copy.
 */
export async function createFirstClientKey(services: Deps, project: ProjectRow, by: Actor): Promise<void> {
  const row = await services.clientKeys.createFirst(project.id, newPublicKey());
  if (row) await recordChange(services, project, 'client-key.create', row, by);
}

/** Letters, digits and underscores only, because the JavaScript SDK accepts no other keys. */
function newPublicKey(): string {
  return `bpk_${randomBytes(randomLength).toString('hex')}`;
}

/**
 * Removes a client key: programs that use it are refused from their next request on.
 *
 * @returns the removed key.
 * @throws HttpProblem 404 when the project has no such key.
 */
export async function removeClientKey(
  services: Deps,
  project: ProjectRow,
  id: number,
  by: Actor,
): Promise<ClientKeyRow> {
  const row = await services.clientKeys.remove(project.id, id);
  if (!row) throw new HttpProblem(404, `The project ${project.path} has no client key ${id}.`);
  await recordChange(services, project, 'client-key.remove', row, by);
  return row;
}

async function recordChange(
  services: Deps,
  project: ProjectRow,
  action: string,
  row: ClientKeyRow,
  by: Actor,
): Promise<void> {
  services.changes.bump();
  await services.audit.record({
    ...by,
    action,
    subject: `project:${project.id}`,
    detail: `key ${row.id} of ${project.path}`,
  });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
}
