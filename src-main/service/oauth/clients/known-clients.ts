import type { ChangeCounter } from '../../database/change-counter.ts';
import { QueryCache } from '../../database/query-cache.ts';
import type { ApplicationsStore } from '../store/applications-store.ts';
import type { Clients } from './authenticate-client.ts';
import type { Application } from '../shared/types.ts';

// Above the number of applications in a laboratory.
const capacity = 500;

/** Looks applications up by client id, cached until the database changes. */
export function knownClients(store: ApplicationsStore, changes: ChangeCounter): Clients {
  const known = new QueryCache<Application>(changes, capacity);
  return async (clientId) => known.find(clientId, async () => store.byClientId(clientId));
}
