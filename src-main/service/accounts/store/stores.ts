import { retryWrites, retryWritesForMs } from '../../database/write-lock.ts';
import type { StoreContext } from '../../database/store-context.ts';
import { knownPlacesStore } from './known-places-store.ts';
import { recoveryCodesStore } from './recovery-codes-store.ts';
import { signInPlacesStore } from './sign-in-places-store.ts';
import { secondFactorsStore } from './second-factors-store.ts';
import { sessions } from './sessions.ts';
import { sessionsStore } from './sessions-store.ts';
import { signInFailuresStore } from './sign-in-failures-store.ts';
import { totpKeysStore } from './totp-keys-store.ts';
import { userListStore } from './user-list-store.ts';
import { usersStore } from './users-store.ts';
import { webauthnKeysStore } from './webauthn-keys-store.ts';

export function accountStores({ database, writeLock, retried }: StoreContext) {
  const users = retried(usersStore(database));
  return {
    users,
    userList: userListStore(database),
    sessions: sessions(retryWrites(writeLock, sessionsStore(database), retryWritesForMs, { touch: 0 }), users),
    signInFailures: retried(signInFailuresStore(database)),
    /** Browsers and networks in which users have signed in. */
    knownPlaces: retried(knownPlacesStore(database)),
    /** Networks and browsers of sign-ins, of which users are told. */
    signInPlaces: retried(signInPlacesStore(database)),
    secondFactors: retried(secondFactorsStore(database)),
    totpKeys: retried(totpKeysStore(database)),
    recoveryCodes: retried(recoveryCodesStore(database)),
    webauthnKeys: retried(webauthnKeysStore(database)),
  };
}

export type AccountStores = ReturnType<typeof accountStores>;
