import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import {
  NewRemoteServer,
  RemoteServer,
  RemoteServerChange,
  ShownCertificate,
  ShownCertificateRequest,
} from '../contract/servers.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import type { ReportRefusals } from './report-refusals.ts';
import { findWorkingAddress } from './find-working-address.ts';
import { candidateAddresses, serverAddress } from './server-address.ts';
import { requireUnused } from './server-in-use.ts';
import { serverShape } from './server-shape.ts';
import { remoteFailure, remoteProblem } from './server-failure.ts';
import type { RemoteServerRow } from './servers-store.ts';
import { shownCertificate } from './shown-certificate.ts';
import { testServer } from './test-server.ts';
import type { Events } from '../common/events.ts';
import type { ServerStores } from './stores.ts';
import type { FetchStores } from '../fetching/store/stores.ts';

type Deps = ServerStores &
  Pick<FetchStores, 'fetches'> & {
    readonly events: Events;
    readonly auth: Authentication;
    readonly reportRefusals: Pick<ReportRefusals, 'of'>;
  };

const Params = Type.Object({ id: Type.Integer({ minimum: 1 }) });
const tags = ['local'];
const errors = { 404: Problem, 409: Problem, 422: Problem };

/**
 * Routes of the list of servers that measurements are fetched from; window only, 404 for others.
 */
export function registerServerRoutes(app: App, { servers, fetches, events, auth, reportRefusals }: Deps): void {
  const guarded = { onRequest: auth.requireWindow, config: { windowOnly: true } } as const;
  const shape = (row: RemoteServerRow): RemoteServer => serverShape(row, reportRefusals);
  const changed = (id: number): void => events.emit('changed', { topic: 'servers', id: String(id) });

  app.get(
    '/api/v4/local/servers',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'The servers that measurements are fetched from',
        operationId: 'listServers',
        response: { 200: Type.Array(RemoteServer) },
      },
    },
    async () => (await servers.all()).map(shape),
  );

  app.post(
    '/api/v4/local/servers',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Add a server',
        description: 'With `only_if_works` it is tested first, and one that fails is not added (422).',
        operationId: 'addServer',
        body: NewRemoteServer,
        response: { 201: RemoteServer, ...errors },
      },
    },
    async (request, reply) => {
      const {
        name,
        token,
        certificate_sha256: certificate,
        base_url: entered,
        only_if_works: onlyIfWorks,
      } = request.body;
      if (name !== undefined) requireReadable('The name', name.trim());
      for (const candidate of candidateAddresses(entered))
        if (await servers.byBaseUrl(candidate)) throw await exists(candidate);
      const found =
        onlyIfWorks === true
          ? await findWorkingAddress({ address: entered, token: token ?? null, certificate: certificate ?? null })
          : null;
      const address = found?.address ?? candidateAddresses(entered)[0] ?? serverAddress(entered);
      const row = await servers.create({
        name: name?.trim() || new URL(address).host,
        base_url: address,
        token: token ?? null,
        certificate: certificate ?? null,
      });
      if (!row) throw await exists(address);
      const source = found && (await servers.source(row.id));
      const tested = found && source ? await servers.found(row.id, source, found.finding) : null;
      changed(row.id);
      return reply.code(201).send(shape(tested ?? row));
    },
  );

  app.post(
    '/api/v4/local/servers/certificate',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'The certificate that a server presents, to be compared with the one its owner names',
        operationId: 'showCertificate',
        body: ShownCertificateRequest,
        response: { 200: ShownCertificate, 422: Problem, 502: Problem },
      },
    },
    async (request) => {
      try {
        return await shownCertificate(serverAddress(request.body.base_url));
      } catch (error) {
        const failure = error instanceof HttpRequestError ? remoteFailure(error, false) : null;
        throw failure ? remoteProblem(failure) : error;
      }
    },
  );

  app.get(
    '/api/v4/local/servers/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'One server',
        operationId: 'getServer',
        params: Params,
        response: { 200: RemoteServer, 404: Problem },
      },
    },
    async (request) => shape(await known(request.params.id)),
  );

  app.patch(
    '/api/v4/local/servers/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary:
          'Change a server; another origin takes its token and its certificate away, unless they are given again',
        operationId: 'changeServer',
        params: Params,
        body: RemoteServerChange,
        response: { 200: RemoteServer, ...errors },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { certificate_sha256: certificate, base_url: entered, name, ...more } = request.body;
      const server = await known(id);
      if (name !== undefined) requireReadable('The name', name.trim(), server.name);
      const address = entered === undefined ? undefined : serverAddress(entered);
      if (address !== undefined && ((await servers.byBaseUrl(address))?.id ?? id) !== id) throw await exists(address);
      const row = await servers.update(id, {
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

  app.delete(
    '/api/v4/local/servers/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Forget a server',
        operationId: 'removeServer',
        params: Params,
        response: { 204: Type.Null(), 404: Problem, 409: Problem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await known(id);
      await requireUnused({ fetches }, id);
      if (!(await servers.remove(id))) throw gone();
      changed(id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v4/local/servers/:id/test',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Test a server: its address, its certificate, its token, and its capabilities',
        operationId: 'testServer',
        params: Params,
        response: { 200: RemoteServer, 404: Problem },
      },
    },
    async (request) => {
      const { id } = request.params;
      const source = await servers.source(id);
      if (!source) throw gone();
      const row = await servers.found(id, source, await testServer(source));
      if (!row) throw gone();
      changed(id);
      return shape(row);
    },
  );

  async function known(id: number): Promise<RemoteServerRow> {
    const row = await servers.byId(id);
    if (!row) throw gone();
    return row;
  }

  async function exists(address: string): Promise<HttpProblem> {
    const other = await servers.byBaseUrl(address);
    return new HttpProblem(409, `${address} is already in the list${other ? `, as ${other.name}` : ''}.`, {
      type: 'server-exists',
    });
  }
}

function gone(): HttpProblem {
  return new HttpProblem(404, 'There is no server with this id.');
}
