import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { Actor } from '../../http/principal.ts';
import { culpritOf, titleOf } from '../grouping/title.ts';
import type { ErrorSummaryFields } from '../store/merge-store.ts';
import { unpackEvent } from '../store/stored-event.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ErrorStores, 'errorMerges'> & Pick<ServiceContext, 'events' | 'log'>;

/**
 * Moves some groups of an error to a new error with its status; future events of these groups
 * belong to the new one.
 *
 * @returns the number of the new error.
 * @throws HttpProblem 404 when the error or one of the groups does not exist; 409 when the error
 * would be left without groups.
 */
export async function unmergeGroups(
  services: Deps,
  project: ProjectRow,
  errorId: string,
  groups: readonly string[],
  by: Actor,
): Promise<string> {
  const chosen = [...new Set(groups.map(Number))];
  const all = await services.errorMerges.groupIds(project.id, Number(errorId));
  if (chosen.length === 0 || !chosen.every((id) => all.includes(id))) {
    throw new HttpProblem(404, 'This error no longer has these groups. Load it again.');
  }
  const left = all.filter((id) => !chosen.includes(id));
  if (left.length === 0)
    throw new HttpProblem(409, 'An error cannot be left without groups. Choose fewer of them.', { type: 'last-group' });
  const summaries = { moved: await summaryOfNewest(services, chosen), left: await summaryOfNewest(services, left) };
  const created = await services.errorMerges.split(project.id, Number(errorId), chosen, summaries, (id) => ({
    ...by,
    action: 'error.unmerge',
    subject: `project:${project.id}`,
    detail: `groups ${chosen.join(', ')} of error ${errorId} of ${project.path} into ${id}`.slice(0, 1000),
  }));
  if (created === null) throw new HttpProblem(404, 'This error no longer has these groups. Load it again.');
  services.events.emit('changed', { topic: 'errors', id: String(project.id) });
  return String(created);
}

/**
 * Summary of the newest event of some groups; null when none of their events is stored any more, or
 * the newest is damaged.
 */
async function summaryOfNewest(services: Deps, groups: readonly number[]): Promise<ErrorSummaryFields | null> {
  const newest = await services.errorMerges.newestEvent(groups);
  if (newest === null) return null;
  try {
    const event = unpackEvent(newest.payload, newest.sample);
    return { ...titleOf(event), culprit: culpritOf(event), level: event.level, platform: event.platform };
  } catch (error) {
    services.log.warn({ err: error }, 'a stored event cannot be read');
    return null;
  }
}
