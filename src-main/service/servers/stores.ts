import type { StoreContext } from '../database/store-context.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { serversStore, type RemoteServersStore } from './servers-store.ts';

export interface ServerStores {
  /** Servers that measurements are fetched from. */
  readonly servers: RemoteServersStore;
}

export function serverStores({ database, retried }: StoreContext, secrets: SecretBox): ServerStores {
  return { servers: retried(serversStore(database, secrets)) };
}
