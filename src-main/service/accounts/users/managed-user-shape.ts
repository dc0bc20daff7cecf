import type { ManagedUser } from '../../contract/account-security.ts';
import { isoTime } from '../../common/iso-time.ts';
import { ownerAccount } from '../store/owner.ts';
import { userShape } from './user-shape.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'signInFailures' | 'secondFactors'> &
  Pick<ServiceContext, 'baseUrl' | 'settings'>;

/** Accounts as administrators see them. */
export async function managedUserShapes(deps: Deps, rows: readonly UserRow[]): Promise<ManagedUser[]> {
  const owner = await ownerAccount(deps.settings, deps.users);
  const twoFactors = await deps.secondFactors.enabledUsers();
  const locks = await deps.signInFailures.locks(Date.now());
  return rows.map((row) => ({
    ...userShape(row, deps.baseUrl()),
    has_password: row.password_hash !== null,
    two_factor_enabled: twoFactors.has(row.id),
    locked_until: isoTime(locks.get(row.id)?.until ?? null),
    locked_where: locks.get(row.id)?.where ?? null,
    last_sign_in_at: isoTime(row.current_sign_in_at),
    owner: row.id === owner?.id,
  }));
}
