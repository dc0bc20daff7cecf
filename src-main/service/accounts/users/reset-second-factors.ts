import type { Actor } from '../../http/principal.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'secondFactors'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'events'>;

/**
 * Removes all second factors and recovery codes of an account whose owner lost them. @returns
 * whether there were any.
 */
export async function resetSecondFactors(services: Deps, user: UserRow, by: Actor): Promise<boolean> {
  if (!(await services.secondFactors.removeAll(user.id))) return false;
  await services.audit.record({ ...by, action: 'user.reset-2fa', subject: `user:${user.id}` });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
  return true;
}
