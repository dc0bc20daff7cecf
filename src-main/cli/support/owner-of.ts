import { ownerAccount } from '../../service/accounts/store/owner.ts';
import type { AccountStores } from '../../service/accounts/store/stores.ts';
import type { UserRow } from '../../service/accounts/store/user-rows.ts';
import type { SettingsStore } from '../../service/database/settings-store.ts';
import { requireUser } from './require-user.ts';
import { CommandError } from './terminal.ts';

/**
 * The account with that name; the installation's owner when none is given.
 * @throws CommandError when there is no such account.
 */
export async function ownerOf(
  services: Pick<AccountStores, 'users'> & { readonly settings: SettingsStore },
  name: string | undefined,
): Promise<UserRow> {
  if (name !== undefined) return requireUser(services, name);
  const owner = await ownerAccount(services.settings, services.users);
  if (!owner)
    throw new CommandError(
      'There is no account to own it yet. Create one with "benchport user create NAME --admin", or name one with --owner.',
    );
  return owner;
}
