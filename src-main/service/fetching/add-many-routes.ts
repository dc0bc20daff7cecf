import { Type } from 'typebox';
import { AddingKey, FetchManyRequest, FetchManyResult } from '../contract/fetch-many.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { addMany } from './add-many.ts';
import { AddingRequests } from './adding-requests.ts';
import type { FetchQueue } from './queue/fetch-queue.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { Events } from '../common/events.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { FetchStores } from './store/stores.ts';

type Deps = ServerStores &
  Pick<FetchStores, 'fetches'> & {
    readonly config: ServiceConfig;
    readonly events: Events;
    readonly auth: Authentication;
    readonly fetchQueue: FetchQueue;
  };

/**
 * Routes that add many fetches with one request. The client's key selects the progress events and
 * cancels the request.
 */
export function registerAddManyRoutes(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);
  const requests = new AddingRequests();

  app.post(
    '/api/v4/local/fetches/many',
    {
      ...guarded({
        summary: 'Fetch many measurements of one server',
        description:
          'Each is checked like a single one; a refused one does not stop the others. Those added first may run before the response. With a `key`, `adding` events tell how far it is, and it can be cancelled.',
        operationId: 'addFetches',
        body: FetchManyRequest,
        response: { 200: FetchManyResult },
      }),
      // Fits the maximum number of ids and titles at their maximum length.
      bodyLimit: 2 * 1024 * 1024,
    },
    async ({ body }) => {
      const { key, measurements } = body;
      const cancelled = key === undefined ? new AbortController().signal : requests.begin(key);
      const onProgress = (done: number): void => {
        if (key !== undefined) deps.events.emit('adding', { key, done, total: measurements.length });
      };
      try {
        return { results: [...(await addMany(deps, deps.fetchQueue, body, { onProgress, cancelled }))] };
      } finally {
        if (key !== undefined) requests.end(key);
      }
    },
  );
  app.delete(
    '/api/v4/local/fetches/many/:key',
    guarded({
      summary: 'Cancel the adding of many fetches',
      description:
        'Fetches that are in the list by then stay there. The answer of the request that adds them names them. A request that arrives within a minute after this one adds nothing.',
      operationId: 'cancelAddingFetches',
      params: Type.Object({ key: AddingKey }),
      response: { 204: Type.Null() },
    }),
    async ({ params }, reply) => {
      requests.cancel(params.key);
      return reply.code(204).send(null);
    },
  );
}
