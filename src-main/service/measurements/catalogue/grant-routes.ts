import { Type } from 'typebox';
import { MeasurementId, PageQuery, Problem } from '../../contract/common.ts';
import { Grant, NewGrant, TransferRecord } from '../../contract/measurements.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { readPage } from '../../http/pagination.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { FindManaged } from '../access/access.ts';
import { grantAccess, grantSubject, revokeAccess } from '../access/grant-access.ts';
import { grantOf, transferOf } from './measurement-shapes.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { TransferStores } from '../../transfers/stores.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  Pick<MeasurementStores, 'grants'> &
  Pick<AuditStores, 'audit'> &
  Pick<TransferStores, 'transfers'> & {
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly auth: Authentication;
    readonly baseUrl: () => string;
  };

const Params = Type.Object({ id: MeasurementId });
const GrantParams = Type.Object({ id: MeasurementId, grant_id: Type.Integer({ minimum: 1 }) });

/**
 * Registers the routes for grants and downloads of a measurement.
 *
 * @param managed Returns the measurement if the user may manage it.
 */
export function registerGrantRoutes(app: App, deps: Deps, managed: FindManaged): void {
  const read = deps.auth.require('read_api');

  app.get(
    '/api/v4/measurements/:id/grants',
    {
      onRequest: read,
      schema: {
        tags: ['measurements'],
        summary: 'Who may read a measurement',
        operationId: 'listGrants',
        params: Params,
        response: { 200: Type.Array(Grant), 404: Problem },
      },
    },
    async (request) => {
      const { id } = await managed(request, request.params.id);
      return (await deps.grants.ofMeasurement(id)).map(grantOf);
    },
  );
  registerGrantChanges(app, deps, managed);

  app.get(
    '/api/v4/measurements/:id/transfers',
    {
      onRequest: read,
      schema: {
        tags: ['measurements'],
        summary: 'Who fetched what, the newest first',
        operationId: 'listTransfers',
        params: Params,
        querystring: PageQuery,
        response: { 200: Type.Array(TransferRecord), 404: Problem },
      },
    },
    async (request, reply) => {
      const { id } = await managed(request, request.params.id);
      const rows = await readPage(request, reply, deps.baseUrl(), (limit, offset) =>
        deps.transfers.ofMeasurement(id, limit, offset),
      );
      return rows.map(transferOf);
    },
  );
}

function registerGrantChanges(app: App, deps: Deps, managed: FindManaged): void {
  const write = deps.auth.require('api');

  app.post(
    '/api/v4/measurements/:id/grants',
    {
      onRequest: write,
      schema: {
        tags: ['measurements'],
        summary: 'Let a user, the members of a project, or everyone read a measurement',
        operationId: 'createGrant',
        params: Params,
        body: NewGrant,
        response: { 201: Grant, 404: Problem },
      },
    },
    async (request, reply) => {
      const { id } = await managed(request, request.params.id);
      const subject = await grantSubject(deps, request.body, principalOf(request));
      const until = endOf(request.body.until);
      const grant = await grantAccess(deps, id, subject, until, actorOf(request));
      return reply.code(201).send(grantOf(grant));
    },
  );

  app.delete(
    '/api/v4/measurements/:id/grants/:grant_id',
    {
      onRequest: write,
      schema: {
        tags: ['measurements'],
        summary: 'Take a grant back',
        operationId: 'removeGrant',
        params: GrantParams,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const { id } = await managed(request, request.params.id);
      const gone = await revokeAccess(deps, id, request.params.grant_id, actorOf(request));
      if (!gone) throw new HttpProblem(404, 'There is no such grant.');
      return reply.code(204).send(null);
    },
  );
}

function endOf(until: string | null | undefined): number | null {
  if (until === undefined || until === null) return null;
  const at = Date.parse(until);
  if (Number.isNaN(at)) throw new HttpProblem(400, 'The end of the grant is not a date.', { type: 'invalid-request' });
  if (at <= Date.now()) throw new HttpProblem(400, 'The end of the grant is in the past.', { type: 'invalid-request' });
  return at;
}
