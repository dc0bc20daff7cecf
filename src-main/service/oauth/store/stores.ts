import type { StoreContext } from '../../database/store-context.ts';
import { applicationsStore } from './applications-store.ts';
import { deviceCodesStore } from './device-codes-store.ts';
import { oauthStore, type OAuthStore } from './oauth-store.ts';

/** @param counted wraps the token store, which the store of device codes uses too. */
export function oauthStores({ database, retried }: StoreContext, counted: (store: OAuthStore) => OAuthStore) {
  const oauth = counted(retried(oauthStore(database)));
  return {
    applications: retried(applicationsStore(database)),
    oauth,
    deviceCodes: retried(deviceCodesStore(database, oauth)),
  };
}

export type OAuthStores = ReturnType<typeof oauthStores>;
