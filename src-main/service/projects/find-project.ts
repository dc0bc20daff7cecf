import type { ProjectRow, ProjectsStore } from './projects-store.ts';

/** Finds the project named by `:id` below /api/v4/projects: its id or its path. */
export async function findProject(deps: { readonly projects: ProjectsStore }, id: string): Promise<ProjectRow | null> {
  if (/^\d+$/.test(id)) return id.length <= 15 ? deps.projects.byId(Number(id)) : null;
  return deps.projects.byPath(id);
}
