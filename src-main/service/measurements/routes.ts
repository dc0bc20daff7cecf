import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { MeasurementId, Problem } from '../contract/common.ts';
import { MeasurementChange, MeasurementDetail } from '../contract/measurements.ts';
import { countOf } from '../common/count-of.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { attachment } from '../http/semantics/content-disposition.ts';
import { HttpProblem } from '../common/problem.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import type { Principal } from '../http/principal.ts';
import { measurementAccess, type FindManaged, type MeasurementAccess } from './access/access.ts';
import { checksumList } from './catalogue/checksum-list.ts';
import { registerDownloadsRoutes } from './downloads/downloads-routes.ts';
import { registerFileRoutes } from './catalogue/file-routes.ts';
import { registerGrantRoutes } from './catalogue/grant-routes.ts';
import { registerMeasurementList } from './catalogue/list-routes.ts';
import { detailOf } from './catalogue/measurement-shapes.ts';
import { verifiedCopies } from './catalogue/verified-copies.ts';
import type { MeasurementRow, MeasurementWithOwner } from './store/measurements-store.ts';
import { keepRemoved, type RemovedDeps } from './removed/keep-removed.ts';
import { registerRemovedRoutes } from './removed/removed-routes.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { DataPaths } from '../common/data-paths.ts';
import type { Logger } from 'pino';
import type { Events } from '../common/events.ts';
import type { ChangeCounter } from '../database/change-counter.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { MeasurementStores } from './store/stores.ts';
import type { CopyStores } from '../copies/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { TransferStores } from '../transfers/stores.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<CopyStores, 'copyList'> &
  Pick<ProjectStores, 'projects'> &
  MeasurementStores &
  RemovedDeps &
  Pick<AuditStores, 'audit'> &
  Pick<TransferStores, 'transfers'> & {
    readonly config: ServiceConfig;
    readonly paths: DataPaths;
    readonly log: Logger;
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly auth: Authentication;
    readonly baseUrl: () => string;
  };

const Params = Type.Object({ id: MeasurementId });

/**
 * Registers the routes for listing, showing, renaming and removing measurements and their files,
 * with grants and transfers.
 */
export function registerMeasurementRoutes(app: App, deps: Deps): void {
  const access = measurementAccess(deps);
  const list = deps.auth.require('read_api', 'read_measurement');
  async function managed(request: FastifyRequest, id: string): Promise<MeasurementRow> {
    const principal = principalOf(request);
    const measurement = await access.readable(principal, id);
    if (!mayManage(principal, measurement)) {
      throw new HttpProblem(403, 'Only the owner of the measurement or an administrator may do this.', {
        type: 'no-access',
      });
    }
    return measurement;
  }
  registerMeasurementList(app, deps);

  app.get(
    '/api/v4/measurements/:id',
    {
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'One measurement',
        operationId: 'getMeasurement',
        params: Params,
        response: { 200: MeasurementDetail, 404: Problem },
      },
    },
    async (request) => {
      await access.readable(principalOf(request), request.params.id);
      return detail(deps, request, request.params.id);
    },
  );
  registerMeasurementChanges(app, deps, managed);
  registerChecksums(app, deps, access);
  registerFileRoutes(app, { ...deps, access });
  registerGrantRoutes(app, deps, managed);
  registerDownloadsRoutes(app, deps, managed);
  registerRemovedRoutes(app, deps, async (request, id) => detail(deps, request, id));
}

function registerMeasurementChanges(app: App, deps: Deps, managed: FindManaged): void {
  app.patch(
    '/api/v4/measurements/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['measurements'],
        summary: 'Rename a measurement',
        operationId: 'changeMeasurement',
        params: Params,
        body: MeasurementChange,
        response: { 200: MeasurementDetail, 404: Problem },
      },
    },
    async (request) => {
      const { id, title: before } = await managed(request, request.params.id);
      const { title } = request.body;
      requireReadable('The title', title, before);
      await deps.measurements.rename(id, title);
      deps.changes.bump();
      await deps.audit.record({
        ...actorOf(request),
        action: 'measurement.rename',
        subject: `measurement:${id}`,
        detail: title,
      });
      deps.events.emit('changed', { topic: 'measurements', id });
      return detail(deps, request, id);
    },
  );

  app.delete(
    '/api/v4/measurements/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['measurements'],
        summary: 'Remove a measurement; for seven days it can be restored',
        description:
          'Nobody reads it any more, and its id is free. Copies in the library are deleted when the days are over; referenced files are left alone.',
        operationId: 'removeMeasurement',
        params: Params,
        response: { 204: Type.Null(), 404: Problem, 409: Problem },
      },
    },
    async (request, reply) => {
      const { id, file_count: files } = await managed(request, request.params.id);
      // Recorded first: an action that cannot be audited is not performed.
      await deps.audit.record({
        ...actorOf(request),
        action: 'measurement.remove',
        subject: `measurement:${id}`,
        detail: countOf(files, 'file'),
      });
      await keepRemoved(deps, id, principalOf(request).userId);
      return reply.code(204).send(null);
    },
  );
}

function registerChecksums(app: App, deps: Deps, access: MeasurementAccess): void {
  const list = deps.auth.require('read_api', 'read_measurement');

  app.get(
    '/api/v4/measurements/:id/checksums',
    {
      // The manifest contains the same data, and users who download need it to verify.
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'A list for sha256sum -c',
        operationId: 'listChecksums',
        params: Params,
        response: {
          200: { content: { 'text/plain': { schema: Type.Unsafe<Readable>({ type: 'string' }) } } },
          404: Problem,
        },
      },
    },
    async (request, reply) => {
      const { id } = await access.readable(principalOf(request), request.params.id);
      return reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', attachment(`${id}.sha256`))
        .send(Readable.from(checksumList(deps.files, id)));
    },
  );
}

async function detail(deps: Deps, request: FastifyRequest, id: string): Promise<MeasurementDetail> {
  const row: MeasurementWithOwner | null = await deps.measurements.withOwner(id);
  if (!row) throw new HttpProblem(404, 'There is no measurement with this id.');
  return detailOf(
    row,
    deps.baseUrl(),
    mayManage(principalOf(request), row),
    deps.auth.isWindow(request),
    await deps.leftOut.of(row.id),
    (await verifiedCopies(deps, [row])).get(row.id) ?? 0,
  );
}

function mayManage(principal: Principal, measurement: Pick<MeasurementRow, 'owner_id'>): boolean {
  return principal.isAdmin || principal.userId === measurement.owner_id;
}
