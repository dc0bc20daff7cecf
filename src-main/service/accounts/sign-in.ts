import type { Services } from '../services.ts';
import { checkPassword } from './check-password.ts';
import type { UserRow } from './users-store.ts';

type Needs = Parameters<typeof checkPassword>[0] & Pick<Services, 'audit'>;

/**
 * Checks a user name and a password.
 *
 * @returns null for an unknown user, a wrong password, a locked or blocked account and an account without a password: alike, and after the same time.
 */
export async function signIn(services: Needs, username: string, password: string, address: string): Promise<UserRow | null> {
  const check = await checkPassword(services, username, password, address);
  if (!check.ok) return null;
  const { user } = check;
  await services.users.recordSignIn(user.id, Date.now());
  await services.audit.record({ userId: user.id, action: 'user.sign-in', subject: `user:${user.id}`, address });
  return user;
}
