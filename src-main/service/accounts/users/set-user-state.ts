import type { Actor } from '../../http/principal.ts';
import { signOutEverywhere } from '../passwords/sign-out-everywhere.ts';
import { lastAdministrator, refuseForOwner } from './keep-administrators.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { OAuthStores } from '../../oauth/store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions' | 'signInFailures'> &
  TokenStores &
  Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events' | 'settings'>;

/**
 * Blocks or unblocks an account; unblocking also ends locks after failed sign-ins. Blocking
 * permanently revokes tokens, grants and sessions and ends running transfers: if the account was
 * blocked because a token was stolen, unblocking must not revive it.
 *
 * @throws HttpProblem 409 for the last administrator and for the owner of the window.
 */
export async function setUserState(services: Deps, user: UserRow, state: UserRow['state'], by: Actor): Promise<void> {
  if (state === 'blocked') await refuseForOwner(services, user, 'blocked');
  if (!(await services.users.setState(user.id, state))) throw lastAdministrator(user, 'blocked');
  if (state === 'blocked') await signOutEverywhere(services, user.id, { by, keepSession: null, tokens: true });
  else await services.signInFailures.clear(user.id);
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: state === 'blocked' ? 'user.block' : 'user.unblock',
    subject: `user:${user.id}`,
  });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
}
