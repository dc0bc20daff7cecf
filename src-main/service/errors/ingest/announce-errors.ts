import { throttle } from '../../../../src-shared/throttle.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import type { StoredEvent } from '../store/events-store.ts';
import type { Events } from '../../common/events.ts';
import type { ProjectStores } from '../../projects/stores.ts';

type Deps = Pick<ProjectStores, 'projects'> & { readonly events: Events };

const halfSecondMs = 500;
const maxProjects = 1000;
// Caps `new-error` notifications per second, so that a loop producing a new error with every event
// cannot flood the listeners; the error list still shows all of them.
const maxNewErrors = 10;
const secondMs = 1000;

/**
 * Returns a function that notifies event listeners about a stored event: throttled changes of the
 * list, and new or regressed errors.
 */
export function announceErrors(
  deps: Deps,
): (projectId: number, event: PreparedEvent, stored: StoredEvent) => Promise<void> {
  const tellers = new Map<number, () => void>();
  let told = 0;
  let since = 0;

  function tellChanged(projectId: number): void {
    let tell = tellers.get(projectId);
    if (!tell) {
      if (tellers.size >= maxProjects) tellers.clear();
      tell = throttle(halfSecondMs, () => deps.events.emit('changed', { topic: 'errors', id: String(projectId) }));
      tellers.set(projectId, tell);
    }
    tell();
  }

  return async (projectId, event, stored) => {
    if (stored.outcome === 'duplicate') return;
    tellChanged(projectId);
    if (stored.change === null || stored.errorId === null) return;
    if (event.receivedAt - since >= secondMs) {
      since = event.receivedAt;
      told = 0;
    }
    told += 1;
    if (told > maxNewErrors) return;
    const project = await deps.projects.byId(projectId);
    if (!project) return;
    deps.events.emit('new-error', {
      project_id: projectId,
      project_path: project.path,
      error_id: String(stored.errorId),
      title: [event.type, event.value].filter((part) => part !== '').join(': '),
      kind: stored.change,
    });
  };
}
