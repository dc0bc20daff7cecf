import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { MeasurementId, PageQuery, Problem } from '../contract/common.ts';
import {
  FileStatusPage,
  FileStatusQuery,
  Grant,
  MeasurementChange,
  MeasurementDetail,
  MeasurementListQuery,
  MeasurementSummary,
  NewGrant,
  TransferRecord,
} from '../contract/measurements.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { attachment } from '../http/content-disposition.ts';
import { setPageHeaders } from '../http/pagination.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import type { Principal } from '../tokens/principal.ts';
import { measurementAccess } from './access.ts';
import { checksumList } from './checksum-list.ts';
import { grantAccess, grantSubject, revokeAccess } from './grant-access.ts';
import { detailOf, fileStatusOf, grantOf, summaryOf, transferOf } from './measurement-shapes.ts';
import type { MeasurementRow, MeasurementWithOwner } from './measurements-store.ts';
import { removeMeasurement } from './remove.ts';

type Deps = Services & { readonly auth: Authentication; readonly baseUrl: () => string };

const errors = { 400: Problem, 401: Problem, 403: Problem, 404: Problem };
const Params = Type.Object({ id: MeasurementId });
const GrantParams = Type.Object({ id: MeasurementId, grant_id: Type.Integer({ minimum: 1 }) });

/** Measurements for screens and scripts: list, detail, files with their states, grants, transfers, rename, remove. */
export function registerMeasurementRoutes(app: App, deps: Deps): void {
  const access = measurementAccess(deps);
  const read = deps.auth.require('read_api');
  const list = deps.auth.require('read_api', 'read_measurement');
  const write = deps.auth.require('api');

  async function managed(request: FastifyRequest, id: string): Promise<MeasurementRow> {
    const principal = principalOf(request);
    const measurement = await access.readable(principal, id);
    if (!mayManage(principal, measurement)) {
      throw new HttpProblem(403, 'Only the owner of the measurement or an administrator may do this.', { type: 'no-access' });
    }
    return measurement;
  }

  async function detail(request: FastifyRequest, id: string): Promise<MeasurementDetail> {
    const row: MeasurementWithOwner | null = await deps.measurements.withOwner(id);
    if (!row) throw new HttpProblem(404, 'There is no measurement with this id.');
    return detailOf(row, deps.baseUrl(), mayManage(principalOf(request), row), deps.auth.isWindow(request));
  }

  app.get(
    '/api/v4/measurements',
    {
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'The measurements that the caller may read',
        operationId: 'listMeasurements',
        querystring: MeasurementListQuery,
        response: { 200: Type.Array(MeasurementSummary), 400: Problem, 401: Problem, 403: Problem },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const principal = principalOf(request);
      const { rows, total } = await deps.measurements.list({
        visibleTo: principal.isAdmin ? null : principal.userId,
        search: query.search ?? '',
        sort: query.sort ?? 'created_at',
        descending: (query.order ?? (query.sort === undefined ? 'desc' : 'asc')) === 'desc',
        limit: query.per_page,
        offset: (query.page - 1) * query.per_page,
        now: Date.now(),
      });
      setPageHeaders(request, reply, deps.baseUrl(), query.page, query.per_page, total);
      return rows.map(summaryOf);
    },
  );

  app.get(
    '/api/v4/measurements/:id',
    {
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'One measurement',
        operationId: 'getMeasurement',
        params: Params,
        response: { 200: MeasurementDetail, ...errors },
      },
    },
    async (request) => {
      await access.readable(principalOf(request), request.params.id);
      return detail(request, request.params.id);
    },
  );

  app.patch(
    '/api/v4/measurements/:id',
    {
      onRequest: write,
      schema: {
        tags: ['measurements'],
        summary: 'Rename a measurement',
        operationId: 'changeMeasurement',
        params: Params,
        body: MeasurementChange,
        response: { 200: MeasurementDetail, ...errors },
      },
    },
    async (request) => {
      const { id } = await managed(request, request.params.id);
      const { title } = request.body;
      await deps.measurements.rename(id, title);
      deps.changes.bump();
      await deps.audit.record({ ...actorOf(request), action: 'measurement.rename', subject: `measurement:${id}`, detail: title });
      deps.events.emit('changed', { topic: 'measurements', id });
      return detail(request, id);
    },
  );

  app.delete(
    '/api/v4/measurements/:id',
    {
      onRequest: write,
      schema: {
        tags: ['measurements'],
        summary: 'Remove a measurement; referenced files are left alone, copies in the library are removed',
        operationId: 'removeMeasurement',
        params: Params,
        response: { 204: Type.Null(), ...errors },
      },
    },
    async (request, reply) => {
      const { id, file_count: files } = await managed(request, request.params.id);
      // First: what could not be written down is not done.
      await deps.audit.record({ ...actorOf(request), action: 'measurement.remove', subject: `measurement:${id}`, detail: `${files} files` });
      await removeMeasurement(deps, id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v4/measurements/:id/files',
    {
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'Files of a measurement with their states',
        operationId: 'listMeasurementFiles',
        params: Params,
        querystring: FileStatusQuery,
        response: { 200: FileStatusPage, ...errors },
      },
    },
    async (request) => {
      const { id } = await access.readable(principalOf(request), request.params.id);
      const { after, limit, problems } = request.query;
      const rows = problems ? await deps.files.withProblems(id, after + 1, limit) : await deps.files.from(id, after + 1, limit);
      const last = rows.at(-1);
      return { files: rows.map(fileStatusOf), next: last && rows.length === limit ? last.idx : null };
    },
  );

  app.get(
    '/api/v4/measurements/:id/checksums',
    {
      // The manifest says no less, and whoever downloads wants to check.
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'A list for sha256sum -c',
        operationId: 'listChecksums',
        params: Params,
        response: { 200: { content: { 'text/plain': { schema: Type.Unsafe<Readable>({ type: 'string' }) } } }, ...errors },
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

  app.get(
    '/api/v4/measurements/:id/grants',
    {
      onRequest: read,
      schema: {
        tags: ['measurements'],
        summary: 'Who may read a measurement',
        operationId: 'listGrants',
        params: Params,
        response: { 200: Type.Array(Grant), ...errors },
      },
    },
    async (request) => {
      const { id } = await managed(request, request.params.id);
      return (await deps.grants.ofMeasurement(id)).map(grantOf);
    },
  );

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
        response: { 201: Grant, ...errors },
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
        response: { 204: Type.Null(), ...errors },
      },
    },
    async (request, reply) => {
      const { id } = await managed(request, request.params.id);
      const gone = await revokeAccess(deps, id, request.params.grant_id, actorOf(request));
      if (!gone) throw new HttpProblem(404, 'There is no such grant.');
      return reply.code(204).send(null);
    },
  );

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
        response: { 200: Type.Array(TransferRecord), ...errors },
      },
    },
    async (request, reply) => {
      const { id } = await managed(request, request.params.id);
      const { page, per_page: perPage } = request.query;
      const { rows, total } = await deps.transfers.ofMeasurement(id, perPage, (page - 1) * perPage);
      setPageHeaders(request, reply, deps.baseUrl(), page, perPage, total);
      return rows.map(transferOf);
    },
  );
}

function mayManage(principal: Principal, measurement: Pick<MeasurementRow, 'owner_id'>): boolean {
  return principal.isAdmin || principal.userId === measurement.owner_id;
}

function endOf(until: string | null | undefined): number | null {
  if (until === undefined || until === null) return null;
  const at = Date.parse(until);
  if (Number.isNaN(at)) throw new HttpProblem(400, 'The end of the grant is not a date.', { type: 'invalid-request' });
  if (at <= Date.now()) throw new HttpProblem(400, 'The end of the grant lies in the past.', { type: 'invalid-request' });
  return at;
}
