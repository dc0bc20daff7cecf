import { retryWrites, retryWritesForMs } from '../../database/sqlite/write-lock.ts';
import type { StoreContext } from '../../database/store-context.ts';
import { knownPlacesStore, type KnownPlacesStore } from './known-places-store.ts';
import { recoveryCodesStore, type RecoveryCodesStore } from './recovery-codes-store.ts';
import { signInPlacesStore, type SignInPlacesStore } from './sign-in-places-store.ts';
import { secondFactorsStore, type SecondFactorsStore } from './second-factors-store.ts';
import { sessions, type Sessions } from './sessions.ts';
import { sessionsStore } from './sessions-store.ts';
import { signInFailuresStore, type SignInFailuresStore } from './sign-in-failures-store.ts';
import { totpKeysStore, type TotpKeysStore } from './totp-keys-store.ts';
import { userListStore, type UserListStore } from './user-list-store.ts';
import { usersStore, type UsersStore } from './users-store.ts';
import { webauthnKeysStore, type WebauthnKeysStore } from './webauthn-keys-store.ts';

export interface AccountStores {
  readonly users: UsersStore;
  readonly userList: UserListStore;
  readonly sessions: Sessions;
  readonly signInFailures: SignInFailuresStore;
  /** Browsers and networks in which users have signed in. */
  readonly knownPlaces: KnownPlacesStore;
  /** Networks and browsers of sign-ins, of which users are told. */
  readonly signInPlaces: SignInPlacesStore;
  readonly secondFactors: SecondFactorsStore;
  readonly totpKeys: TotpKeysStore;
  readonly recoveryCodes: RecoveryCodesStore;
  readonly webauthnKeys: WebauthnKeysStore;
}

export function accountStores({ database, writeLock, retried }: StoreContext): AccountStores {
  const users = retried(usersStore(database));
  return {
    users,
    userList: userListStore(database),
    sessions: sessions(retryWrites(writeLock, sessionsStore(database), retryWritesForMs, { touch: 0 }), users),
    signInFailures: retried(signInFailuresStore(database)),
    knownPlaces: retried(knownPlacesStore(database)),
    signInPlaces: retried(signInPlacesStore(database)),
    secondFactors: retried(secondFactorsStore(database)),
    totpKeys: retried(totpKeysStore(database)),
    recoveryCodes: retried(recoveryCodesStore(database)),
    webauthnKeys: retried(webauthnKeysStore(database)),
  };
}
