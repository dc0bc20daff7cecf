import type { CopiesAdded, CopyRequest } from '../contract/copies/copies.ts';
import { HttpProblem } from '../common/problem.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { RemoteServerRow } from '../servers/servers-store.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { CopyQueue } from './queue/copy-queue.ts';
import type { NewCopy } from './store/copy-row.ts';
import type { GrantedMeasurement } from './store/copy-list-store.ts';
import type { CopyStores } from './store/stores.ts';

const idsPerSlice = 500;

export type AddCopiesDeps = Pick<MeasurementStores, 'measurements'> &
  Pick<CopyStores, 'copyList'> &
  Pick<ProjectStores, 'projects'> &
  ServerStores & { readonly copyQueue: Pick<CopyQueue, 'add'> };

/**
 * Keeps copies of measurements on a server: of those named, or of all of a project.
 *
 * @throws HttpProblem 404 when the server, the project or a measurement does not exist.
 */
export async function addCopies(deps: AddCopiesDeps, request: CopyRequest): Promise<CopiesAdded> {
  const server = await deps.servers.byId(request.server_id);
  if (!server) throw new HttpProblem(404, 'There is no such server.');
  const project = request.project ?? null;
  const result = { added: 0, known: 0, left_out: 0 };
  for await (const measurements of measurementsOf(deps, request)) {
    const whole = measurements.filter(isWhole);
    const added = await deps.copyQueue.add(whole.map((measurement) => newCopy(measurement, server, project)));
    result.added += added;
    result.known += whole.length - added;
    result.left_out += measurements.length - whole.length;
  }
  return result;
}

/** Whether there is something to copy: all files, as they were registered. */
export function isWhole({ state, problem_count: problems, archive_tag: tag }: GrantedMeasurement): boolean {
  return state === 'available' && problems === 0 && tag !== '';
}

export function newCopy(
  measurement: GrantedMeasurement,
  server: Pick<RemoteServerRow, 'id' | 'name' | 'base_url'>,
  project: string | null,
): NewCopy {
  return {
    measurement_id: measurement.id,
    title: measurement.title,
    manifest_sha256: measurement.archive_tag,
    base_url: server.base_url,
    server_id: server.id,
    server_name: server.name,
    project,
    bytes_total: measurement.archive_bytes,
  };
}

async function* measurementsOf(
  deps: AddCopiesDeps,
  { measurement_ids: ids, of_project: projectId }: CopyRequest,
): AsyncGenerator<readonly GrantedMeasurement[]> {
  if ((ids === undefined) === (projectId === undefined))
    throw new HttpProblem(400, 'Name either measurement_ids or of_project.');
  if (ids !== undefined) {
    const rows = await Promise.all([...new Set(ids)].map(async (id) => deps.measurements.byId(id)));
    const there = rows.filter((row) => row !== null);
    if (there.length < rows.length) throw new HttpProblem(404, 'One of these measurements does not exist.');
    yield there;
  }
  if (projectId === undefined) return;
  if (!(await deps.projects.byId(projectId))) throw new HttpProblem(404, 'There is no such project.');
  for (let after = ''; ;) {
    const rows = await deps.copyList.grantedTo(projectId, after, idsPerSlice);
    yield rows;
    after = rows.at(-1)?.id ?? '';
    if (rows.length < idsPerSlice) return;
  }
}
