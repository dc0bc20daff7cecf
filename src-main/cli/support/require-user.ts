import type { UserRow } from '../../service/accounts/store/user-rows.ts';
import { CommandError } from './terminal.ts';
import type { AccountStores } from '../../service/accounts/store/stores.ts';

/**
 * The account with that name.
 * @throws CommandError that says where to find the names.
 */
export async function requireUser(services: Pick<AccountStores, 'users'>, username: string): Promise<UserRow> {
  const user = await services.users.byUsername(username);
  if (!user) throw new CommandError(`There is no user ${username}. "benchport user list" shows them all.`);
  return user;
}
