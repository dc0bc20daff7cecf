import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import { atTheMachine, type Actor } from '../tokens/principal.ts';
import { lastAdministrator, refuseForOwner } from './keep-administrators.ts';
import type { UserRow } from './users-store.ts';

type Needs = Pick<Services, 'users' | 'sessions' | 'signInFailures' | 'settings' | 'audit' | 'changes' | 'events'>;

/**
 * Blocks an account, or lets it in again, also when too many failures have locked it. A blocked user's tokens and running transfers stop at once;
 * signed-in browsers are signed out for good.
 *
 * @param by who does it; null on the command line.
 * @throws HttpProblem 404 for an unknown user name, 409 for the last administrator and for the owner of the window.
 */
export async function setUserState(services: Needs, username: string, state: UserRow['state'], by: Actor | null): Promise<UserRow> {
  const user = await services.users.byUsername(username);
  if (!user) throw new HttpProblem(404, `There is no user ${username}. "benchport user list" shows them all.`);
  if (state === 'blocked') await refuseForOwner(services, user, 'blocked');
  if (!(await services.users.setState(user.id, state))) throw lastAdministrator(user, 'blocked');
  if (state === 'blocked') await services.sessions.endAllOf(user.id);
  else await services.signInFailures.clear(user.id);
  services.changes.bump();
  await services.audit.record({ ...(by ?? atTheMachine), action: state === 'blocked' ? 'user.block' : 'user.unblock', subject: `user:${user.id}` });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
  return { ...user, state };
}
