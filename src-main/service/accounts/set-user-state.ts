import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import type { UserRow } from './users-store.ts';

type Needs = Pick<Services, 'users' | 'sessions' | 'audit' | 'changes' | 'events'>;

/**
 * Blocks an account, or lets it in again. A blocked user's tokens and running transfers stop at once; signed-in browsers are signed out for good.
 *
 * @throws HttpProblem 404 for an unknown user name.
 */
export async function setUserState(services: Needs, username: string, state: UserRow['state'], by: number | null): Promise<UserRow> {
  const user = await services.users.byUsername(username);
  if (!user) throw new HttpProblem(404, `There is no user ${username}. "benchport user list" shows them all.`);
  await services.users.setState(user.id, state);
  if (state === 'blocked') await services.sessions.endAllOf(user.id);
  services.changes.bump();
  await services.audit.record({ userId: by, action: state === 'blocked' ? 'user.block' : 'user.unblock', subject: `user:${user.id}` });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
  return { ...user, state };
}
