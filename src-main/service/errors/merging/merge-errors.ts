import { HttpProblem } from '../../common/problem.ts';
import type { Merged } from '../../contract/error-views.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { Actor } from '../../http/principal.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ErrorStores, 'errorMerges'> & Pick<ServiceContext, 'events'>;

/**
 * Merges errors: the one first seen keeps its number and receives the groups of the others, so that
 * their future events belong to it. The result is unresolved if one of the errors is.
 *
 * @returns the number of the remaining error, and all errors as they were before, so that the merge
 * can be undone.
 * @throws HttpProblem 400 for fewer than two, 404 when one of them does not exist.
 */
export async function mergeErrors(
  services: Deps,
  project: ProjectRow,
  ids: readonly string[],
  by: Actor,
): Promise<Merged> {
  const numbers = [...new Set(ids.map(Number))];
  if (numbers.length < 2) throw new HttpProblem(400, 'Name at least two errors to merge.');
  const merged = await services.errorMerges.merge(project.id, numbers, (id) => ({
    ...by,
    action: 'error.merge',
    subject: `project:${project.id}`,
    detail: `${numbers.join(', ')} of ${project.path} into ${id}`.slice(0, 1000),
  }));
  const kept = merged?.[0];
  if (merged === null || kept === undefined)
    throw new HttpProblem(404, 'Some of these errors no longer exist. Load the list again.');
  services.events.emit('changed', { topic: 'errors', id: String(project.id) });
  return {
    id: String(kept.id),
    before: merged.map(({ id, status, groups }) => ({ id: String(id), status, groups: groups.map(String) })),
  };
}
