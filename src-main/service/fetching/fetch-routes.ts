import {
  Fetch,
  FetchActionRequest,
  FetchActionResult,
  FetchListQuery,
  FetchPage,
  FetchRequest,
} from '../contract/fetches.ts';
import type { App } from '../http/app.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { newFetch } from './new-fetch.ts';
import { registerOneFetch, type FetchRoutesDeps } from './one-fetch-routes.ts';

/** Routes of the fetch list. Only the owner's window may call them; other clients get 404. */
export function registerFetchRoutes(app: App, deps: FetchRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);
  registerFetchList(app, deps);

  app.post(
    '/api/v4/local/fetches',
    guarded({
      summary: 'Fetch a measurement',
      operationId: 'addFetch',
      body: FetchRequest,
      response: { 202: Fetch },
    }),
    async (request, reply) =>
      reply.code(202).send(deps.fetchQueue.shape(await deps.fetchQueue.add(await newFetch(deps, request.body)))),
  );

  app.post(
    '/api/v4/local/fetches/actions',
    guarded({
      summary: 'Pause, resume, cancel, retry, remove, verify or move fetches',
      description:
        'Fetches to which the action does not apply stay as they are. With `all`, retry applies to failed ones and remove to ended ones.',
      operationId: 'actOnFetches',
      body: FetchActionRequest,
      response: { 200: FetchActionResult },
    }),
    async ({ body }) => ({ changed: await deps.fetchQueue.act(body.action, body.ids) }),
  );
  registerOneFetch(app, deps);
}

function registerFetchList(app: App, deps: FetchRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/fetches',
    guarded({
      summary: 'Fetches: running ones, waiting ones, then ended ones',
      operationId: 'listFetches',
      querystring: FetchListQuery,
      response: { 200: FetchPage },
    }),
    async ({ query }) => {
      const search = query.search ?? '';
      const serverIds = search === '' ? [] : deps.fetchQueue.serversNamed(search);
      const { rows, total } = await deps.fetchList.page({
        filter: query.filter ?? 'all',
        search,
        sort: query.sort ?? 'queue',
        order: query.order ?? 'asc',
        serverIds,
        offset: query.offset,
        limit: query.limit,
      });
      return { items: rows.map((row) => deps.fetchQueue.shape(row)), total, counts: await deps.fetchList.counts() };
    },
  );
}
