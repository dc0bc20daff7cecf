import { HttpProblem } from '../common/problem.ts';
import type { Principal } from '../http/principal.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import { findProject } from '../projects/find-project.ts';
import type { ProjectRow } from '../projects/projects-store.ts';
import { roleIn } from '../projects/require-role.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { TimelineStores } from './store/stores.ts';

/** A project whose errors the caller may see. */
export interface LookedProject {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  /** Whether its members may read the measurement. */
  readonly granted: boolean;
  /** Whether its errors are kept elsewhere. */
  readonly external: boolean;
}

export interface LookedProjects {
  readonly projects: readonly LookedProject[];
  readonly more: boolean;
}

type Deps = Pick<ProjectStores, 'projects'> & Pick<MeasurementStores, 'grants'> & Pick<TimelineStores, 'windowErrors'>;
type Caller = Pick<Principal, 'userId' | 'isAdmin'>;

const maxProjects = 100;

/**
 * Chooses the projects whose errors belong to a measurement. A grant is what links the two: the rule
 * of a watched folder and an upload make it for their project.
 *
 * @param asked id or path of the only project to look at.
 * @throws HttpProblem 404 when there is no such project, the caller is no member, or Monitor is off.
 */
export async function lookedProjects(
  deps: Deps,
  principal: Principal,
  measurementId: string,
  asked: string | undefined,
): Promise<LookedProjects> {
  const granted = await grantedTo(deps, measurementId);
  if (asked !== undefined) {
    const project = await findProject(deps, asked);
    if (project === null || project.monitor === 0 || (await roleIn(deps, principal, project)) === null)
      throw new HttpProblem(404, 'There is no such project with errors, or you are not a member of it.', {
        gitlab: '404 Project Not Found',
      });
    return shown(deps, [project], granted);
  }
  const own = await visibleOf(deps, principal, granted);
  return shown(deps, own.length > 0 ? own : await deps.projects.ofMember(principal.userId), granted);
}

async function grantedTo({ grants }: Pick<MeasurementStores, 'grants'>, id: string): Promise<ReadonlySet<number>> {
  const now = Date.now();
  const valid = (await grants.ofMeasurement(id)).filter(({ until }) => until === null || until > now);
  return new Set(valid.flatMap(({ project_id: project }) => project ?? []));
}

async function visibleOf(
  deps: Pick<ProjectStores, 'projects'>,
  { userId, isAdmin }: Caller,
  ids: ReadonlySet<number>,
): Promise<readonly ProjectRow[]> {
  if (ids.size === 0) return [];
  if (!isAdmin) return (await deps.projects.ofMember(userId)).filter(({ id }) => ids.has(id));
  const found: ProjectRow[] = [];
  for (const id of [...ids].slice(0, maxProjects + 1)) {
    const row = await deps.projects.byId(id);
    if (row) found.push(row);
  }
  return found;
}

async function shown(
  { windowErrors }: Pick<TimelineStores, 'windowErrors'>,
  rows: readonly ProjectRow[],
  granted: ReadonlySet<number>,
): Promise<LookedProjects> {
  const monitored = rows.filter(({ monitor }) => monitor === 1);
  const looked = monitored.slice(0, maxProjects);
  const external = new Set(await windowErrors.external(looked.map(({ id }) => id)));
  return {
    projects: looked.map(({ id, path, name }) => ({
      id,
      path,
      name,
      granted: granted.has(id),
      external: external.has(id),
    })),
    more: monitored.length > looked.length,
  };
}
