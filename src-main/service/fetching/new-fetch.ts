import path from 'node:path';
import type { FetchRequest } from '../contract/fetches.ts';
import { HttpProblem } from '../common/problem.ts';
import { targetFolder } from '../measurements/export/export.ts';
import type { NewFetch } from './store/fetch-row.ts';
import type { FetchesStore } from './store/fetches-store.ts';
import { folderName } from './folder-name.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { FetchStores } from './store/stores.ts';

type Deps = ServerStores & Pick<FetchStores, 'fetches'> & { readonly config: ServiceConfig };
interface Wanted {
  readonly baseUrl: string;
  readonly measurementId: string;
}

/**
 * Validates a request for a new fetch against the stored servers and fetches.
 *
 * @throws HttpProblem if the server or the folder is missing, or if this fetch is already in the
 * list.
 */
export async function newFetch(services: Deps, request: FetchRequest): Promise<NewFetch> {
  const server = (await services.servers.all()).find(({ id }) => id === request.server_id);
  if (!server) throw new HttpProblem(422, 'This server is not in the list. Add it first.', { type: 'no-server' });
  if (request.what === 'archive' && request.indices)
    throw new HttpProblem(422, 'An archive contains all files: leave out the indices.', { type: 'bad-choice' });
  if (request.what === 'files' && request.unpack === true)
    throw new HttpProblem(422, 'Only an archive can be unpacked.', { type: 'bad-choice' });
  const wanted = { baseUrl: server.base_url, measurementId: request.measurement_id };
  const target = await folderOf(services, request.target, wanted);
  const chosen = request.indices ? [...new Set(request.indices)].toSorted((a, b) => a - b) : null;
  await refuseTwice(services.fetches, target, request.what, chosen);
  return {
    ...wanted,
    serverId: server.id,
    title: request.title ?? null,
    what: request.what,
    chosen,
    target,
    unpack: request.unpack ?? false,
    priority: request.priority ?? 0,
    paused: request.paused ?? false,
  };
}

/**
 * Returns the folder of a measurement below `chosen`. Measurements of different servers that share
 * an id get separate folders.
 *
 * @throws HttpProblem if the folder is not writable.
 */
export async function folderOf(
  services: Pick<Deps, 'config' | 'fetches'>,
  chosen: string,
  wanted: Wanted,
): Promise<string> {
  const parent = await targetFolder(services, chosen);
  const name = folderName(wanted.measurementId);
  for (let number = 1; ; number += 1) {
    const target = path.join(parent, number === 1 ? name : `${name}-${number}`);
    const others = (await services.fetches.ofTarget(target)).filter(
      (row) => row.base_url !== wanted.baseUrl || row.measurement_id !== wanted.measurementId,
    );
    if (others.length === 0) return target;
  }
}

async function refuseTwice(
  fetches: FetchesStore,
  target: string,
  what: 'files' | 'archive',
  chosen: readonly number[] | null,
): Promise<void> {
  for (const row of await fetches.ofTarget(target)) {
    if (row.ended_at !== null || row.what !== what) continue;
    if (JSON.stringify((await fetches.order(row.id)).chosen) === JSON.stringify(chosen)) {
      throw new HttpProblem(409, 'This is already being fetched into this folder.', { type: 'fetch-exists' });
    }
  }
}
