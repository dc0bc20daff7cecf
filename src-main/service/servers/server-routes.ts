import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { NewRemoteServer, RemoteServer, ShownCertificate, ShownCertificateRequest } from '../contract/servers.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import type { App } from '../http/app.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import { registerOneServerRoutes, serverExists, type ServerRoutesDeps } from './one-server-routes.ts';
import { findWorkingAddress } from './find-working-address.ts';
import { candidateAddresses, serverAddress } from './server-address.ts';
import { serverShape } from './server-shape.ts';
import { remoteFailure, remoteProblem } from './server-failure.ts';
import type { RemoteServerRow } from './servers-store.ts';
import { shownCertificate } from './shown-certificate.ts';

const errors = { 404: Problem, 409: Problem, 422: Problem };

/** Routes of the list of servers that measurements are fetched from; window only, 404 for others. */
export function registerServerRoutes(app: App, deps: ServerRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);
  const shape = (row: RemoteServerRow): RemoteServer => serverShape(row, deps.reportRefusals);
  const changed = (id: number): void => deps.events.emit('changed', { topic: 'servers', id: String(id) });
  registerServerList(app, deps);

  app.post(
    '/api/v4/local/servers',
    guarded({
      summary: 'Add a server',
      description: 'With `only_if_works` it is tested first, and one that fails is not added (422).',
      operationId: 'addServer',
      body: NewRemoteServer,
      response: { 201: RemoteServer, ...errors },
    }),
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
        if (await deps.servers.byBaseUrl(candidate)) throw await serverExists({ servers: deps.servers }, candidate);
      const found =
        onlyIfWorks === true
          ? await findWorkingAddress({ address: entered, token: token ?? null, certificate: certificate ?? null })
          : null;
      const address = found?.address ?? candidateAddresses(entered)[0] ?? serverAddress(entered);
      const row = await deps.servers.create({
        name: name?.trim() || new URL(address).host,
        base_url: address,
        token: token ?? null,
        certificate: certificate ?? null,
      });
      if (!row) throw await serverExists({ servers: deps.servers }, address);
      const source = found && (await deps.servers.source(row.id));
      const tested = found && source ? await deps.servers.found(row.id, source, found.finding) : null;
      changed(row.id);
      return reply.code(201).send(shape(tested ?? row));
    },
  );
  registerCertificateProbe(app, deps);
  registerOneServerRoutes(app, deps);
}

function registerServerList(app: App, deps: ServerRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);
  const shape = (row: RemoteServerRow): RemoteServer => serverShape(row, deps.reportRefusals);

  app.get(
    '/api/v4/local/servers',
    guarded({
      summary: 'The servers that measurements are fetched from',
      operationId: 'listServers',
      response: { 200: Type.Array(RemoteServer) },
    }),
    async () => (await deps.servers.all()).map(shape),
  );
}

function registerCertificateProbe(app: App, deps: ServerRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/servers/certificate',
    guarded({
      summary: 'The certificate that a server presents, to be compared with the one its owner names',
      operationId: 'showCertificate',
      body: ShownCertificateRequest,
      response: { 200: ShownCertificate, 422: Problem, 502: Problem },
    }),
    async (request) => {
      try {
        return await shownCertificate(serverAddress(request.body.base_url));
      } catch (error) {
        const failure = error instanceof HttpRequestError ? remoteFailure(error, false) : null;
        throw failure ? remoteProblem(failure) : error;
      }
    },
  );
}
