import { setTimeout } from 'node:timers/promises';
import type { ProjectStores } from './stores.ts';
import type { ErrorStores } from '../errors/store/stores.ts';

type Deps = Pick<ProjectStores, 'hiddenProjects'> &
  Pick<ErrorStores, 'errorChanges'> & { readonly stopped: () => boolean };

// Each step waits for the disk; requests are served in between.
const pauseMs = 10;

/**
 * Deletes the remaining data of removed projects in steps; an interrupted deletion resumes at the
 * next start.
 */
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
