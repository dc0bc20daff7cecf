import { setTimeout } from 'node:timers/promises';
import type { ProjectStores } from './stores.ts';
import type { ErrorStores } from '../errors/store/stores.ts';

type Needs = Pick<ProjectStores, 'hiddenProjects'> & Pick<ErrorStores, 'errorChanges'> & { readonly stopped: () => boolean };

// Each step waits for the disk; requests are served between two of them.
const pause = 10;

/** Removes what is left of removed projects, step by step; what a stop interrupts goes on with the next start. */
export async function removeHiddenProjects(needs: Needs): Promise<void> {
  for (const project of await needs.hiddenProjects.all()) {
    for (let ids = await needs.hiddenProjects.errorsOf(project); ids.length > 0; ids = await needs.hiddenProjects.errorsOf(project)) {
      for (const id of ids) {
        while (!needs.stopped() && !(await needs.errorChanges.removeSome(project, id))) await setTimeout(pause);
        if (needs.stopped()) return;
      }
    }
    while (!(await needs.hiddenProjects.removeSome(project))) {
      if (needs.stopped()) return;
      await setTimeout(pause);
    }
  }
}
