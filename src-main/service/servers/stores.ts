import type { StoreContext } from '../database/store-context.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { serversStore } from './servers-store.ts';

export function serverStores({ database, retried }: StoreContext, secrets: SecretBox) {
  return {
    /** Servers that measurements are fetched from. */
    servers: retried(serversStore(database, secrets)),
  };
}

export type ServerStores = ReturnType<typeof serverStores>;
