import type { Services } from '../services.ts';
import type { Actor } from '../tokens/principal.ts';
import { lastAdministrator, refuseForOwner } from './keep-administrators.ts';
import type { UserRow } from './users-store.ts';

type Needs = Pick<Services, 'users' | 'sessions' | 'signInFailures' | 'settings' | 'audit' | 'changes' | 'events'>;

/**
 * Blocks an account, or lets it in again, also when too many failures have locked it. A blocked user's tokens and running transfers stop at once;
 * signed-in browsers are signed out for good.
 *
 * @throws HttpProblem 409 for the last administrator and for the owner of the window.
 */
export async function setUserState(services: Needs, user: UserRow, state: UserRow['state'], by: Actor): Promise<void> {
  if (state === 'blocked') await refuseForOwner(services, user, 'blocked');
  if (!(await services.users.setState(user.id, state))) throw lastAdministrator(user, 'blocked');
  if (state === 'blocked') await services.sessions.endAllOf(user.id);
  else await services.signInFailures.clear(user.id);
  services.changes.bump();
  await services.audit.record({ ...by, action: state === 'blocked' ? 'user.block' : 'user.unblock', subject: `user:${user.id}` });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
}
