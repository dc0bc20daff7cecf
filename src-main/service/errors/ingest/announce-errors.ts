import { throttle } from '../../../../src-shared/throttle.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import type { StoredEvent } from '../store/events-store.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'events'>;

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
  const throttles = new Map<number, () => void>();
  let sentThisSecond = 0;
  let secondBegan = 0;

  function emitChanged(projectId: number): void {
    let emit = throttles.get(projectId);
    if (!emit) {
      if (throttles.size >= maxProjects) throttles.clear();
      emit = throttle(halfSecondMs, () => deps.events.emit('changed', { topic: 'errors', id: String(projectId) }));
      throttles.set(projectId, emit);
    }
    emit();
  }

  return async (projectId, event, stored) => {
    if (stored.outcome === 'duplicate') return;
    emitChanged(projectId);
    if (stored.change === null || stored.errorId === null) return;
    if (event.receivedAt - secondBegan >= secondMs) {
      secondBegan = event.receivedAt;
      sentThisSecond = 0;
    }
    sentThisSecond += 1;
    if (sentThisSecond > maxNewErrors) return;
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
