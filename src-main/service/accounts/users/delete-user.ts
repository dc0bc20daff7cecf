import { HttpProblem } from '../../common/problem.ts';
import type { Actor } from '../../http/principal.ts';
import { lastAdministrator, refuseForOwner } from './keep-administrators.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<MeasurementStores, 'grants'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events' | 'settings'>;

const named = 5;

/**
 * Deletes an account with its sessions, second factors, tokens, memberships and grants, and the
 * applications it owns with their grants.
 *
 * @throws HttpProblem 409 when it owns measurements, for the last administrator and for the owner
 * of the window.
 */
export async function deleteUser(services: Deps, user: UserRow, by: Actor): Promise<void> {
  await refuseForOwner(services, user, 'deleted');
  const owned = await services.users.measurementsOf(user.id, named + 1);
  if (owned.length > 0) {
    const list = `${owned.slice(0, named).join(', ')}${owned.length > named ? ' and others' : ''}`;
    throw new HttpProblem(
      409,
      `${user.username} owns measurements: ${list}. Remove them first, or block the account instead.`,
      { type: 'owns-measurements' },
    );
  }
  // Blocked first, because deleting many grants takes time and may be interrupted.
  if (!(await services.users.setState(user.id, 'blocked'))) throw lastAdministrator(user, 'deleted');
  services.changes.bump();
  while (await services.grants.removeSome(user.id)) await new Promise(setImmediate);
  if (!(await services.users.remove(user.id))) throw lastAdministrator(user, 'deleted');
  services.changes.bump();
  await services.audit.record({ ...by, action: 'user.delete', subject: `user:${user.id}`, detail: user.username });
  for (const topic of ['users', 'applications', 'tokens'] as const) services.events.emit('changed', { topic });
}
