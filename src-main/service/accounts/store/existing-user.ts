import { HttpProblem } from '../../common/problem.ts';
import type { UserRow } from './user-rows.ts';
import type { AccountStores } from './stores.ts';

/** @throws HttpProblem 404 when there is no account with this id. */
export async function existingUser({ users }: Pick<AccountStores, 'users'>, id: number): Promise<UserRow> {
  const user = await users.byId(id);
  if (!user) throw new HttpProblem(404, 'There is no such user.');
  return user;
}
