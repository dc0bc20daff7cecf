import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AuditStores } from '../../audit/stores.ts';
import { HttpProblem } from '../../common/problem.ts';
import { Problem } from '../../contract/common.ts';
import { MeasurementDetail } from '../../contract/measurements.ts';
import {
  RemovedMeasurement,
  RemovedMeasurementParams,
  RemovedMeasurementQuery,
} from '../../contract/removed/removed-measurements.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { offsetOf, setPageHeaders } from '../../http/pagination.ts';
import type { RemovedDeps } from './keep-removed.ts';
import { purgeRemoved } from './purge-removed.ts';
import { auditOf, removedShape } from './removed-shape.ts';
import { restoreRemoved } from './restore-removed.ts';
import type { RemovedRow } from './store/removed-rows.ts';

type Deps = RemovedDeps &
  Pick<AuditStores, 'audit'> & { readonly auth: Authentication; readonly baseUrl: () => string };

const tags = ['measurements'];
const path = '/api/v4/removed_measurements';

/**
 * Registers the routes of removed measurements.
 *
 * @param detail describes a measurement as its own route does.
 */
export function registerRemovedRoutes(
  app: App,
  deps: Deps,
  detail: (request: FastifyRequest, id: string) => Promise<MeasurementDetail>,
): void {
  const write = deps.auth.require('api');

  async function own(request: FastifyRequest, number: number): Promise<RemovedRow> {
    const { isAdmin, userId } = principalOf(request);
    const row = await deps.removed.byNumber(number);
    if (!row || row.stage === 'restoring' || row.stage === 'purging' || !(isAdmin || row.owner_id === userId))
      throw new HttpProblem(404, 'There is no such removed measurement. It was restored or removed for good.', {
        type: 'not-removed',
      });
    return row;
  }

  registerList(app, deps);
  app.post(
    `${path}/:id/restore`,
    {
      onRequest: write,
      schema: {
        tags,
        summary: 'Restore a removed measurement',
        description: 'With its id, owner, readers, times and checksums.',
        operationId: 'restoreRemovedMeasurement',
        params: RemovedMeasurementParams,
        response: { 200: MeasurementDetail, 404: Problem, 409: Problem, 503: Problem },
      },
    },
    async (request) => {
      const row = await own(request, request.params.id);
      await restoreRemoved(deps, row);
      await deps.audit.record({ ...actorOf(request), ...auditOf(row), action: 'measurement.restore' });
      return detail(request, row.measurement_id);
    },
  );
  app.delete(
    `${path}/:id`,
    {
      onRequest: write,
      schema: {
        tags,
        summary: 'Remove a removed measurement for good',
        description: 'Its copies in the library are deleted at once, its object when the grace period is over.',
        operationId: 'removeMeasurementForGood',
        params: RemovedMeasurementParams,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const row = await own(request, request.params.id);
      // Recorded first: an action that cannot be audited is not performed.
      await deps.audit.record({ ...actorOf(request), ...auditOf(row), action: 'measurement.purge' });
      await purgeRemoved(deps, row);
      return reply.code(204).send(null);
    },
  );
}

function registerList(app: App, deps: Deps): void {
  app.get(
    path,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags,
        summary: 'Removed measurements that can be restored: your own; for administrators all',
        operationId: 'listRemovedMeasurements',
        querystring: RemovedMeasurementQuery,
        response: { 200: Type.Array(RemovedMeasurement) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { isAdmin, userId } = principalOf(request);
      const { rows, total } = await deps.removed.list({
        ownerId: isAdmin ? null : userId,
        measurementId: query.measurement_id ?? null,
        limit: query.per_page,
        offset: offsetOf(query),
      });
      setPageHeaders(request, reply, deps.baseUrl(), query.page, query.per_page, total);
      return rows.map(removedShape);
    },
  );
}
