import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { MeasurementId, PageQuery, Problem } from '../../contract/common.ts';
import {
  AllDownloadFilters,
  AllDownloadQuery,
  Download,
  DownloadFilters,
  DownloadQuery,
} from '../../contract/downloads.ts';
import { TransferRecord } from '../../contract/measurements.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { setPageHeaders } from '../../http/pagination.ts';
import { HttpProblem } from '../../common/problem.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { FindManaged } from '../access/access.ts';
import { transferOf } from '../catalogue/measurement-shapes.ts';
import { isDay, parseMoment } from '../../common/parse-time.ts';
import { downloadsCsv } from './downloads-csv.ts';
import type { DownloadFilter, StoredDownload } from '../store/downloads-list-store.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<MeasurementStores, 'downloads'> & { readonly auth: Authentication; readonly baseUrl: () => string };

const OfMeasurement = Type.Object({ id: MeasurementId });
const OfDownload = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const Csv = { content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } } };
const day = 86_400_000;

const schema = { tags: ['transfers'] };

/**
 * Registers the routes that list downloads: of all measurements for administrators, of one
 * measurement for users who manage it.
 *
 * @param managed Returns the measurement if the user may manage it.
 */
export function registerDownloadsRoutes(app: App, deps: Deps, managed: FindManaged): void {
  const asAdmin = deps.auth.requireAdmin('read_api');

  app.get(
    '/api/v4/downloads',
    {
      onRequest: asAdmin,
      schema: {
        ...schema,
        summary: 'Who fetched what, a row for each download, the newest first; administrators',
        operationId: 'listDownloads',
        querystring: AllDownloadQuery,
        response: { 200: Type.Array(Download) },
      },
    },
    async (request, reply) =>
      page(deps, request, reply, await filterOf(deps, request.query, request.query.measurement), request.query),
  );

  app.get(
    '/api/v4/downloads.csv',
    {
      onRequest: asAdmin,
      schema: {
        ...schema,
        summary: 'The same as CSV, all of it',
        operationId: 'exportDownloads',
        querystring: AllDownloadFilters,
        response: { 200: Csv },
      },
    },
    async (request, reply) => csv(deps, reply, await filterOf(deps, request.query, request.query.measurement)),
  );
  registerTransfersOfDownload(app, deps, managed);
  registerDownloadsOfMeasurement(app, deps, managed);
}

function registerTransfersOfDownload(app: App, deps: Deps, managed: FindManaged): void {
  const asReader = deps.auth.require('read_api');

  app.get(
    '/api/v4/downloads/:id/transfers',
    {
      onRequest: asReader,
      schema: {
        ...schema,
        summary: 'The transfers of one download, the oldest first; administrators and who manages the measurement',
        operationId: 'listTransfersOfDownload',
        params: OfDownload,
        querystring: PageQuery,
        response: { 200: Type.Array(TransferRecord), 404: Problem },
      },
    },
    async (request, reply) => {
      const download = await deps.downloads.byId(request.params.id);
      if (!download) throw new HttpProblem(404, 'There is no such download.');
      // Downloads of a removed measurement are visible to administrators only.
      if (!principalOf(request).isAdmin) await managed(request, download.measurement_id);
      const { page: number, per_page: perPage } = request.query;
      const { rows, total } = await deps.downloads.transfers(download, perPage, (number - 1) * perPage);
      setPageHeaders(request, reply, deps.baseUrl(), number, perPage, total);
      return rows.map(transferOf);
    },
  );
}

function registerDownloadsOfMeasurement(app: App, deps: Deps, managed: FindManaged): void {
  const asReader = deps.auth.require('read_api');

  app.get(
    '/api/v4/measurements/:id/downloads',
    {
      onRequest: asReader,
      schema: {
        ...schema,
        summary: 'Downloads of a measurement, newest first',
        operationId: 'listDownloadsOfMeasurement',
        params: OfMeasurement,
        querystring: DownloadQuery,
        response: { 200: Type.Array(Download), 404: Problem },
      },
    },
    async (request, reply) =>
      page(
        deps,
        request,
        reply,
        await filterOf(deps, request.query, (await managed(request, request.params.id)).id),
        request.query,
      ),
  );

  app.get(
    '/api/v4/measurements/:id/downloads.csv',
    {
      onRequest: asReader,
      schema: {
        ...schema,
        summary: 'The same as CSV, all of it',
        operationId: 'exportDownloadsOfMeasurement',
        params: OfMeasurement,
        querystring: DownloadFilters,
        response: { 200: Csv, 404: Problem },
      },
    },
    async (request, reply) =>
      csv(deps, reply, await filterOf(deps, request.query, (await managed(request, request.params.id)).id)),
  );
}

async function page(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  filter: DownloadFilter,
  { page: number, per_page: perPage }: PageQuery,
): Promise<Download[]> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const { rows, total } = await deps.downloads.page(filter, perPage, (number - 1) * perPage, gone.signal);
  setPageHeaders(request, reply, deps.baseUrl(), number, perPage, total);
  return rows.map(downloadShape);
}

function csv(deps: Deps, reply: FastifyReply, filter: DownloadFilter): FastifyReply {
  reply.header('content-disposition', 'attachment; filename="downloads.csv"').type('text/csv; charset=utf-8');
  return reply.send(Readable.from(downloadsCsv(deps.downloads, filter)));
}

async function filterOf(
  deps: Pick<AccountStores, 'users'>,
  query: DownloadFilters,
  measurement: string,
): Promise<DownloadFilter> {
  const user = query.user === '' ? null : await deps.users.byUsername(query.user);
  return {
    measurementId: measurement === '' ? null : measurement,
    // No user has the id 0, so an unknown name finds nothing.
    userId: query.user === '' ? null : (user?.id ?? 0),
    outcome: query.outcome ?? null,
    from: query.from === '' ? null : parseMoment(query.from),
    before: query.to === '' ? null : parseMoment(query.to) + (isDay(query.to) ? day : 1),
  };
}

function downloadShape(row: StoredDownload): Download {
  return {
    id: row.id,
    started_at: isoTime(row.started_at),
    last_at: isoTime(row.last_at),
    username: row.username,
    token_name: row.token_name,
    application_name: row.application_name,
    address: row.address,
    user_agent: row.user_agent,
    measurement_id: row.measurement_id,
    file_count: row.file_count,
    files_whole: row.files_whole,
    as_archive: row.as_archive === 1,
    requests: row.requests,
    bytes_sent: row.bytes_sent,
    outcome: row.outcome,
    reason: row.reason,
  };
}
