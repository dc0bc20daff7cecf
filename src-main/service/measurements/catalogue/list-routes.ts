import { Type } from 'typebox';
import { HttpProblem } from '../../common/problem.ts';
import { MeasurementListQuery, MeasurementSummary } from '../../contract/measurements.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { offsetOf, readCursor, setKeysetHeaders, setPageHeaders, writeCursor } from '../../http/pagination.ts';
import type { ListPosition } from '../store/access-order.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { summaryOf } from './measurement-shapes.ts';
import { verifiedCopies, type VerifiedCopiesDeps } from './verified-copies.ts';

type Deps = Pick<MeasurementStores, 'measurements'> &
  VerifiedCopiesDeps & {
    readonly auth: Authentication;
    readonly baseUrl: () => string;
  };

/** Registers the list of measurements, by page or by keyset. */
export function registerMeasurementList(app: App, deps: Deps): void {
  app.get(
    '/api/v4/measurements',
    {
      onRequest: deps.auth.require('read_api', 'read_measurement'),
      schema: {
        tags: ['measurements'],
        summary: 'The measurements that the caller may read',
        operationId: 'listMeasurements',
        querystring: MeasurementListQuery,
        response: { 200: Type.Array(MeasurementSummary) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const principal = principalOf(request);
      const sort = query.sort ?? 'created_at';
      const order = query.order ?? (query.sort === undefined ? 'desc' : 'asc');
      const keyset = query.pagination === 'keyset';
      if (query.problems === true && keyset)
        throw new HttpProblem(400, 'problems=true is listed by page, not by keyset.');
      const { rows, total, next } = await deps.measurements.list({
        visibleTo: principal.isAdmin ? null : principal.userId,
        search: query.search ?? '',
        problems: query.problems === true,
        sort,
        descending: order === 'desc',
        limit: query.per_page,
        offset: keyset ? 0 : offsetOf(query),
        after: keyset && query.cursor !== undefined ? positionOf(query.cursor, `${sort} ${order}`) : null,
        now: Date.now(),
      });
      const cursor = next === null ? null : writeCursor(`${sort} ${order}`, next.key, next.id);
      if (keyset) setKeysetHeaders(request, reply, deps.baseUrl(), query.per_page, cursor);
      else setPageHeaders(request, reply, deps.baseUrl(), query.page, query.per_page, { total, cursor });
      const copies = await verifiedCopies(deps, rows);
      return rows.map((row) => summaryOf(row, copies.get(row.id) ?? 0));
    },
  );
}

function positionOf(cursor: string, order: string): ListPosition {
  const { key, id } = readCursor(cursor, order);
  return { key, id: String(id) };
}
