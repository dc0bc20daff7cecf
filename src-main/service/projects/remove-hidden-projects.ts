import { setTimeout } from 'node:timers/promises';
import type { ProjectStores } from './stores.ts';
import type { ErrorStores } from '../errors/store/stores.ts';

type Deps = Pick<ProjectStores, 'hiddenProjects'> &
  Pick<ErrorStores, 'errorChanges'> & { readonly stopped: () => boolean };

// Each step waits for the disk; requests are served between two of them.
const pauseMs = 10;

/** Removes what is left of removed projects, step by step; what a stop interrupts goes on with the next start. */
export async function removeHiddenProjects(deps: Deps): Promise<void> {
  for (const project of await deps.hiddenProjects.all()) {
    for (
      let ids = await deps.hiddenProjects.errorsOf(project);
      ids.length > 0;
      ids = await deps.hiddenProjects.errorsOf(project)
    ) {
      for (const id of ids) {
        while (!deps.stopped() && !(await deps.errorChanges.removeSome(project, id))) await setTimeout(pauseMs);
        if (deps.stopped()) return;
      }
    }
    while (!(await deps.hiddenProjects.removeSome(project))) {
      if (deps.stopped()) return;
      await setTimeout(pauseMs);
    }
  }
}
