import type { StoreContext } from '../database/store-context.ts';
import { hiddenProjectsStore } from './hidden-projects-store.ts';
import { membersStore } from './members-store.ts';
import { projectsStore } from './projects-store.ts';

export function projectStores({ database, retried }: StoreContext) {
  return {
    projects: retried(projectsStore(database)),
    members: retried(membersStore(database)),
    hiddenProjects: retried(hiddenProjectsStore(database)),
  };
}

export type ProjectStores = ReturnType<typeof projectStores>;
