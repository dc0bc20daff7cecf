import { atMostEach } from '../../common/at-most-each.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import type { StoredEvent } from '../store/events-store.ts';
import type { Events } from '../../common/events.ts';
import type { ProjectStores } from '../../projects/stores.ts';

type Needs = Pick<ProjectStores, 'projects'> & { readonly events: Events };

const halfSecond = 500;
const mostProjects = 1000;
// A loop that makes a new error of every event must not flood those who listen: the list shows them all.
const mostNewErrors = 10;
const second = 1000;

/** Tells those who listen of stored events. */
export function announceErrors(needs: Needs): (projectId: number, event: PreparedEvent, stored: StoredEvent) => Promise<void> {
  const tellers = new Map<number, () => void>();
  let told = 0;
  let since = 0;

  function tellChanged(projectId: number): void {
    let tell = tellers.get(projectId);
    if (!tell) {
      if (tellers.size >= mostProjects) tellers.clear();
      tell = atMostEach(halfSecond, () => needs.events.emit('changed', { topic: 'errors', id: String(projectId) }));
      tellers.set(projectId, tell);
    }
    tell();
  }

  return async (projectId, event, stored) => {
    if (stored.outcome === 'duplicate') return;
    tellChanged(projectId);
    if (stored.change === null || stored.errorId === null) return;
    if (event.receivedAt - since >= second) {
      since = event.receivedAt;
      told = 0;
    }
    told += 1;
    if (told > mostNewErrors) return;
    const project = await needs.projects.byId(projectId);
    if (!project) return;
    needs.events.emit('new-error', {
      project_id: projectId,
      project_path: project.path,
      error_id: String(stored.errorId),
      title: [event.type, event.value].filter((part) => part !== '').join(': '),
      kind: stored.change,
    });
  };
}
