import type { StoreContext } from '../../database/store-context.ts';
import { applicationsStore, type ApplicationsStore } from './applications-store.ts';
import { deviceCodesStore, type DeviceCodesStore } from './device-codes-store.ts';
import { oauthStore, type OAuthStore } from './oauth-store.ts';

export interface OAuthStores {
  readonly applications: ApplicationsStore;
  readonly oauth: OAuthStore;
  readonly deviceCodes: DeviceCodesStore;
}

/** @param counted wraps the token store, which the store of device codes uses too. */
export function oauthStores(
  { database, retried }: StoreContext,
  counted: (store: OAuthStore) => OAuthStore,
): OAuthStores {
  const oauth = counted(retried(oauthStore(database)));
  return {
    applications: retried(applicationsStore(database)),
    oauth,
    deviceCodes: retried(deviceCodesStore(database, oauth)),
  };
}
