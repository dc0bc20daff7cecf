import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import {
  DiscoveredServer,
  RemoteFilePage,
  RemoteFileQuery,
  RemoteMeasurementPage,
  RemoteMeasurementQuery,
} from '../contract/servers.ts';
import type { ServerAccess } from '../http-client/http-client.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { HttpProblem } from '../common/problem.ts';
import type { Discovery } from './discover.ts';
import type { RemoteFiles } from './remote-files.ts';
import { remoteMeasurements } from './remote-measurements.ts';
import { remoteFailure, remoteProblem } from './server-failure.ts';
import type { ServerStores } from './stores.ts';

type Deps = ServerStores & {
  readonly auth: Authentication;
  readonly discovery: Discovery;
  readonly remoteFiles: RemoteFiles;
  /** The address at which others on the network reach this service; null while it is not shared. */
  readonly sharedUrl: () => string | null;
};

const Server = Type.Object({ id: Type.Integer({ minimum: 1 }) });
const Measurement = Type.Object({
  ...Server.properties,
  measurement_id: Type.String({ minLength: 1, maxLength: 256 }),
});
const listTimeoutMs = 30_000;

/** Routes that list nearby servers and the contents of other servers; window only. */
export function registerRemoteRoutes(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/discovered-servers',
    guarded({
      summary: 'Servers that tell their name on the network',
      operationId: 'discoverServers',
      response: { 200: Type.Array(DiscoveredServer) },
    }),
    async () => {
      const [found, all] = [await deps.discovery.servers(), await deps.servers.all()];
      const known = new Set(all.map((server) => server.base_url));
      return found
        .filter((server) => server.base_url !== deps.sharedUrl())
        .map((server) => ({ ...server, added: known.has(server.base_url) }));
    },
  );

  app.get(
    '/api/v4/local/servers/:id/measurements',
    guarded({
      summary: 'The measurements that a server lets its token read',
      operationId: 'listRemoteMeasurements',
      params: Server,
      querystring: RemoteMeasurementQuery,
      response: { 200: RemoteMeasurementPage, 404: Problem, 409: Problem, 502: Problem },
    }),
    async (request) => {
      const { id } = request.params;
      const source = await sourceOf(deps, id);
      if ((await deps.servers.byId(id))?.lists === false) {
        throw new HttpProblem(409, 'This server cannot list its measurements. Enter the id of the one to fetch.', {
          type: 'cannot-list',
        });
      }
      try {
        const { search = '', sort = null, order = null, page } = request.query;
        return await remoteMeasurements(source, { search, sort, order, page }, AbortSignal.timeout(listTimeoutMs));
      } catch (error) {
        const failure = remoteFailure(error, source.token !== null);
        throw failure ? remoteProblem(failure) : error;
      }
    },
  );
  registerRemoteFiles(app, deps);
}

function registerRemoteFiles(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/servers/:id/measurements/:measurement_id/files',
    guarded({
      summary: 'The files of a measurement on a server',
      operationId: 'listRemoteFiles',
      params: Measurement,
      querystring: RemoteFileQuery,
      response: { 200: RemoteFilePage, 404: Problem, 502: Problem },
    }),
    async (request) => {
      const { search = '', offset, limit } = request.query;
      return deps.remoteFiles.page({
        source: await sourceOf(deps, request.params.id),
        measurementId: request.params.measurement_id,
        search,
        offset,
        limit,
      });
    },
  );
}

async function sourceOf(deps: Deps, id: number): Promise<ServerAccess> {
  const source = await deps.servers.source(id);
  if (!source) throw new HttpProblem(404, 'There is no server with this id.');
  return source;
}
