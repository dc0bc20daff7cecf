import { createUser, type NewUserInput } from '../../src-main/service/accounts/users/create-user.ts';
import { setUserState } from '../../src-main/service/accounts/users/set-user-state.ts';
import type { UserRow } from '../../src-main/service/accounts/store/user-rows.ts';
import type { Services } from '../../src-main/service/services.ts';
import { atTheMachine } from '../../src-main/service/http/principal.ts';

/** Adds an account without e-mail address and password unless they are given. */
export async function addUser(
  services: Services,
  username: string,
  more: Partial<NewUserInput> = {},
): Promise<UserRow> {
  return createUser(
    services,
    { username, name: username, email: null, password: null, isAdmin: false, ...more },
    atTheMachine,
  );
}

/** Blocks or unblocks an account with the rights of the machine's owner. */
export async function setState(services: Services, username: string, state: UserRow['state']): Promise<void> {
  const user = await services.users.byUsername(username);
  if (!user) throw new Error(`there is no user ${username}`);
  await setUserState(services, user, state, atTheMachine);
}
