import type { ChangeCounter } from '../../database/change-counter.ts';
import { QueryCache } from '../../database/query-cache.ts';
import type { ApplicationsStore } from '../store/applications-store.ts';
import type { Clients } from './authenticate-client.ts';
import type { Application } from '../shared/types.ts';

// A laboratory has fewer applications.
const capacity = 500;

/** Applications by client id, kept until something changes. */
export function knownClients(store: ApplicationsStore, changes: ChangeCounter): Clients {
  const known = new QueryCache<Application>(changes, capacity);
  return async (clientId) => known.find(clientId, async () => store.byClientId(clientId));
}
