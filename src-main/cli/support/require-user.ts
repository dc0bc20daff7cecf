import type { UserRow } from '../../service/accounts/store/users-store.ts';
import type { Services } from '../../service/services.ts';
import { CommandError } from './terminal.ts';

/**
 * The account of that name.
 *
 * @throws CommandError that says where to find the names.
 */
export async function requireUser(services: Services, username: string): Promise<UserRow> {
  const user = await services.users.byUsername(username);
  if (!user) throw new CommandError(`There is no user ${username}. "benchport user list" shows them all.`);
  return user;
}
