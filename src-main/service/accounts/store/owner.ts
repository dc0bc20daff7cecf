import type { SettingsStore } from '../../database/settings-store.ts';
import type { Principal } from '../../http/principal.ts';
import type { UsersStore } from './users-store.ts';
import type { UserRow } from './user-rows.ts';

const key = 'owner_user_id';

/** The account that the window acts for: the chosen one, or else the first active administrator. */
export async function ownerAccount(settings: SettingsStore, users: UsersStore): Promise<UserRow | null> {
  const stored = await settings.get(key);
  const chosen = stored === null ? null : await users.byId(Number(stored));
  return chosen ?? users.firstAdministrator();
}

/** Whether this account was chosen as the one that the window acts for. */
export async function isChosenOwner(settings: SettingsStore, userId: number): Promise<boolean> {
  return (await settings.get(key)) === String(userId);
}

/** Chooses the account that the window acts for. */
export async function setOwner(settings: SettingsStore, userId: number): Promise<void> {
  await settings.set(key, String(userId));
}

/** Principal of the window, which connects by the private socket. */
export function windowPrincipal(owner: UserRow): Principal {
  return {
    userId: owner.id,
    username: owner.username,
    isAdmin: true,
    kind: 'window',
    tokenId: null,
    oauth: null,
    scopes: new Set(['api']),
    stillValid: async () => true,
  };
}
