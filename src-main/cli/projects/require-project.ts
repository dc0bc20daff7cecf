import type { ProjectRow } from '../../service/projects/projects-store.ts';
import { CommandError } from '../support/terminal.ts';
import type { ProjectStores } from '../../service/projects/stores.ts';

/**
 * The project at that path.
 * @throws CommandError that says how to add it.
 */
export async function requireProject(services: Pick<ProjectStores, 'projects'>, path: string): Promise<ProjectRow> {
  const project = await services.projects.byPath(path);
  if (!project)
    throw new CommandError(
      `There is no project ${path}. "benchport project list" shows them all; create it with "benchport project create ${path}".`,
    );
  return project;
}
