import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { FetchReceipt } from '../../contract/copies/fetch-receipts.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { App } from '../../http/app.ts';
import type { Authentication } from '../../http/authentication.ts';
import { windowRoutes } from '../../http/window-routes.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import { fetchReceipt, keepFetchReceipt, type FetchReceiptDeps } from './fetch-receipt.ts';

const path = '/api/v4/local/fetches/:id/receipt';
const Params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

/** Registers the routes of receipts of what was fetched. */
export function registerFetchReceipts(app: App, deps: FetchReceiptDeps & { readonly auth: Authentication }): void {
  const guarded = windowRoutes(deps.auth);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort(new HttpProblem(503, 'The service is stopping.')));

  async function rowOf(id: number): Promise<FetchRow> {
    const row = await deps.fetches.byId(id);
    if (!row) throw new HttpProblem(404, 'There is no such fetch.');
    return row;
  }

  app.get(
    path,
    guarded({
      summary: 'The receipt that is kept of what was fetched',
      operationId: 'getFetchReceipt',
      params: Params,
      response: { 200: FetchReceipt, 404: Problem },
    }),
    async ({ params }) => fetchReceipt(deps, await rowOf(params.id)),
  );
  app.post(
    path,
    guarded({
      summary: 'Ask the server for the receipt of what was fetched, and keep it beside the folder',
      description: 'The receipt says what the server has, and to whom it said so; not that it was received.',
      operationId: 'keepFetchReceipt',
      params: Params,
      response: { 200: FetchReceipt, 404: Problem, 409: Problem, 502: Problem, 503: Problem },
    }),
    async ({ params }) => {
      const row = await rowOf(params.id);
      await keepFetchReceipt(deps, row, stopping.signal);
      return fetchReceipt(deps, row);
    },
  );
}
