import type { Services } from '../services.ts';
import { verifyPassword } from './passwords.ts';
import type { UserRow } from './users-store.ts';

type Needs = Pick<Services, 'users' | 'audit'>;

/**
 * Checks a user name and a password.
 *
 * @returns null for an unknown user, a wrong password, a blocked account and an account without a password: alike, and after the same time.
 */
export async function signIn(services: Needs, username: string, password: string, address: string): Promise<UserRow | null> {
  const user = await services.users.byUsername(username);
  const fits = await verifyPassword(user?.password_hash ?? null, password);
  const subject = user && `user:${user.id}`;
  if (!user || !subject || !fits || user.state !== 'active') {
    // A name that nobody has is not written down: it may be a password in the wrong field.
    if (subject) await services.audit.record({ userId: null, action: 'user.sign-in-failed', subject, detail: address });
    return null;
  }
  await services.audit.record({ userId: user.id, action: 'user.sign-in', subject, detail: address });
  return user;
}
