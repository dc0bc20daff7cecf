import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import { checkPassword } from './check-password.ts';
import type { UserRow } from './users-store.ts';

/** @throws HttpProblem 403 when it is not the user's password, or when the account is locked: alike. */
export async function requireOwnPassword(deps: Services, user: UserRow, password: string, address: string): Promise<void> {
  const check = await checkPassword(deps, user.username, password, address);
  if (!check.ok) {
    throw new HttpProblem(403, 'This is not your password. After ten failures an account is locked for ten minutes.', { type: 'wrong-password' });
  }
}
