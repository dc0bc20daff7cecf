import type { ChangeCounter } from '../database/change-counter.ts';
import type { ApplicationsStore } from './applications-store.ts';
import type { Clients } from './authenticate-client.ts';
import type { Application } from './types.ts';

// A laboratory has fewer applications; the oldest entry goes.
const capacity = 500;

/** Applications by client id, kept until anything that could change them changes, in this process or in another one (see ChangeCounter). */
export function knownClients(store: ApplicationsStore, changes: ChangeCounter): Clients {
  const known = new Map<string, Application>();
  let keptAt = changes.current();
  return async (clientId) => {
    const generation = changes.current();
    if (generation !== keptAt) {
      known.clear();
      keptAt = generation;
    }
    const kept = known.get(clientId);
    if (kept) return kept;
    const application = await store.byClientId(clientId);
    // What was read before a change may not be kept after it.
    if (application && changes.current() === generation && keptAt === generation) {
      if (known.size >= capacity) known.delete(known.keys().next().value ?? '');
      known.set(clientId, application);
    }
    return application;
  };
}
