import type { StoreContext } from '../database/store-context.ts';
import { hiddenProjectsStore, type HiddenProjectsStore } from './hidden-projects-store.ts';
import { membersStore, type MembersStore } from './members-store.ts';
import { projectsStore, type ProjectsStore } from './projects-store.ts';

export interface ProjectStores {
  readonly projects: ProjectsStore;
  readonly members: MembersStore;
  readonly hiddenProjects: HiddenProjectsStore;
}

export function projectStores({ database, retried }: StoreContext): ProjectStores {
  return {
    projects: retried(projectsStore(database)),
    members: retried(membersStore(database)),
    hiddenProjects: retried(hiddenProjectsStore(database)),
  };
}
