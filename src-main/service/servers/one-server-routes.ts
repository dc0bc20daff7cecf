import { Type } from 'typebox';
import type { Events } from '../common/events.ts';
import { HttpProblem } from '../common/problem.ts';
import { Problem } from '../contract/common.ts';
import { RemoteServer, RemoteServerChange } from '../contract/servers.ts';
import type { FetchStores } from '../fetching/store/stores.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import type { ReportRefusals } from './report-refusals.ts';
import { serverAddress } from './server-address.ts';
import { requireUnused } from './server-in-use.ts';
import { serverShape } from './server-shape.ts';
import type { RemoteServerRow } from './servers-store.ts';
import type { ServerStores } from './stores.ts';
import { testServer } from './test-server.ts';

export type ServerRoutesDeps = ServerStores &
  Pick<FetchStores, 'fetches'> & {
    readonly events: Events;
    readonly auth: Authentication;
    readonly reportRefusals: Pick<ReportRefusals, 'of'>;
  };

const Params = Type.Object({ id: Type.Integer({ minimum: 1 }) });
const errors = { 404: Problem, 409: Problem, 422: Problem };

/** Routes of one server of the list: showing, changing, forgetting and testing it; window only. */
export function registerOneServerRoutes(app: App, deps: ServerRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);
  const shape = (row: RemoteServerRow): RemoteServer => serverShape(row, deps.reportRefusals);
  const changed = (id: number): void => deps.events.emit('changed', { topic: 'servers', id: String(id) });

  app.get(
    '/api/v4/local/servers/:id',
    guarded({
      summary: 'One server',
      operationId: 'getServer',
      params: Params,
      response: { 200: RemoteServer, 404: Problem },
    }),
    async (request) => shape(await known(deps, request.params.id)),
  );

  app.patch(
    '/api/v4/local/servers/:id',
    guarded({
      summary: 'Change a server; another origin takes its token and its certificate away, unless they are given again',
      operationId: 'changeServer',
      params: Params,
      body: RemoteServerChange,
      response: { 200: RemoteServer, ...errors },
    }),
    async (request) => {
      const { id } = request.params;
      const { certificate_sha256: certificate, base_url: entered, name, ...more } = request.body;
      const server = await known(deps, id);
      if (name !== undefined) requireReadable('The name', name.trim(), server.name);
      const address = entered === undefined ? undefined : serverAddress(entered);
      if (address !== undefined && ((await deps.servers.byBaseUrl(address))?.id ?? id) !== id)
        throw await serverExists(deps, address);
      const row = await deps.servers.update(id, {
        ...more,
        ...(name === undefined || name.trim() === '' ? {} : { name: name.trim() }),
        ...(address === undefined ? {} : { base_url: address }),
        ...(certificate === undefined ? {} : { certificate }),
      });
      if (!row) throw gone();
      changed(id);
      return shape(row);
    },
  );
  registerServerRemoval(app, deps);
  registerServerTest(app, deps);
}

function registerServerRemoval(app: App, deps: ServerRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);
  const changed = (id: number): void => deps.events.emit('changed', { topic: 'servers', id: String(id) });

  app.delete(
    '/api/v4/local/servers/:id',
    guarded({
      summary: 'Forget a server',
      operationId: 'removeServer',
      params: Params,
      response: { 204: Type.Null(), 404: Problem, 409: Problem },
    }),
    async (request, reply) => {
      const { id } = request.params;
      await known(deps, id);
      await requireUnused({ fetches: deps.fetches }, id);
      if (!(await deps.servers.remove(id))) throw gone();
      changed(id);
      return reply.code(204).send(null);
    },
  );
}

function registerServerTest(app: App, deps: ServerRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);
  const shape = (row: RemoteServerRow): RemoteServer => serverShape(row, deps.reportRefusals);
  const changed = (id: number): void => deps.events.emit('changed', { topic: 'servers', id: String(id) });

  app.post(
    '/api/v4/local/servers/:id/test',
    guarded({
      summary: 'Test a server: its address, its certificate, its token, and its capabilities',
      operationId: 'testServer',
      params: Params,
      response: { 200: RemoteServer, 404: Problem },
    }),
    async (request) => {
      const { id } = request.params;
      const source = await deps.servers.source(id);
      if (!source) throw gone();
      const row = await deps.servers.found(id, source, await testServer(source));
      if (!row) throw gone();
      changed(id);
      return shape(row);
    },
  );
}

async function known(deps: ServerRoutesDeps, id: number): Promise<RemoteServerRow> {
  const row = await deps.servers.byId(id);
  if (!row) throw gone();
  return row;
}

/** The refusal of an address that is in the list already. */
export async function serverExists({ servers }: Pick<ServerStores, 'servers'>, address: string): Promise<HttpProblem> {
  const other = await servers.byBaseUrl(address);
  return new HttpProblem(409, `${address} is already in the list${other ? `, as ${other.name}` : ''}.`, {
    type: 'server-exists',
  });
}

function gone(): HttpProblem {
  return new HttpProblem(404, 'There is no server with this id.');
}
