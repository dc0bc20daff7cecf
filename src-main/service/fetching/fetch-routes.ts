import { Type } from 'typebox';
import {
  Fetch,
  FetchActionRequest,
  FetchActionResult,
  FetchChange,
  FetchFilePage,
  FetchFileQuery,
  FetchListQuery,
  FetchLogLine,
  FetchPage,
  FetchPieces,
  FetchRequest,
} from '../contract/fetches.ts';
import { Staged, StageRequest } from '../contract/jobs.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import { isoTime } from '../common/iso-time.ts';
import type { FetchQueue } from './queue/fetch-queue.ts';
import { isUnverified, type FetchRow } from './store/fetch-row.ts';
import { folderOf, newFetch } from './new-fetch.ts';
import { stageFetch } from './stage-fetch.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { FetchStores } from './store/stores.ts';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Params = Type.Object({ id: Id });
const FileParams = Type.Object({ id: Id, index: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) });
const tags = ['local'];
const lines = 500;

type Deps = ServerStores &
  Pick<FetchStores, 'fetches' | 'fetchList' | 'fetchJournal'> & {
    readonly config: ServiceConfig;
    readonly auth: Authentication;
    readonly fetchQueue: FetchQueue;
  };

/** Routes of the fetch list. Only the owner's window may call them; other clients get 404. */
export function registerFetchRoutes(app: App, deps: Deps): void {
  const { auth, fetches, fetchList, fetchJournal, fetchQueue: queue } = deps;
  const guarded = { onRequest: auth.requireWindow, config: { windowOnly: true } } as const;

  async function rowOf(id: number): Promise<FetchRow> {
    const row = await fetches.byId(id);
    if (!row) throw new HttpProblem(404, 'There is no such fetch.');
    return row;
  }

  app.get(
    '/api/v4/local/fetches',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Fetches: running ones, waiting ones, then ended ones',
        operationId: 'listFetches',
        querystring: FetchListQuery,
        response: { 200: FetchPage },
      },
    },
    async ({ query }) => {
      const search = query.search ?? '';
      const serverIds = search === '' ? [] : queue.serversNamed(search);
      const { rows, total } = await fetchList.page({
        filter: query.filter ?? 'all',
        search,
        sort: query.sort ?? 'queue',
        order: query.order ?? 'asc',
        serverIds,
        offset: query.offset,
        limit: query.limit,
      });
      return { items: rows.map((row) => queue.shape(row)), total, counts: await fetchList.counts() };
    },
  );
  app.post(
    '/api/v4/local/fetches',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Fetch a measurement',
        operationId: 'addFetch',
        body: FetchRequest,
        response: { 202: Fetch },
      },
    },
    async (request, reply) => reply.code(202).send(queue.shape(await queue.add(await newFetch(deps, request.body)))),
  );
  app.post(
    '/api/v4/local/fetches/actions',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Pause, resume, cancel, retry, remove, verify or move fetches',
        description:
          'Fetches to which the action does not apply stay as they are. With `all`, retry applies to failed ones and remove to ended ones.',
        operationId: 'actOnFetches',
        body: FetchActionRequest,
        response: { 200: FetchActionResult },
      },
    },
    async ({ body }) => ({ changed: await queue.act(body.action, body.ids) }),
  );
  app.get(
    '/api/v4/local/fetches/:id',
    {
      ...guarded,
      schema: { tags, summary: 'One fetch', operationId: 'getFetch', params: Params, response: { 200: Fetch } },
    },
    async ({ params }) => queue.shape(await rowOf(params.id)),
  );
  app.patch(
    '/api/v4/local/fetches/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Change the priority or the folder of a fetch',
        description: 'Another folder starts the fetch again; files already there that are right are kept.',
        operationId: 'changeFetch',
        params: Params,
        body: FetchChange,
        response: { 200: Fetch },
      },
    },
    async ({ params, body }) => {
      const row = await rowOf(params.id);
      if (body.target !== undefined) {
        const target = await folderOf(deps, body.target, { baseUrl: row.base_url, measurementId: row.measurement_id });
        if (!(await queue.setTarget(row.id, target))) {
          throw new HttpProblem(
            409,
            'This fetch is running or has ended, so its folder cannot change. Pause it first.',
            { type: 'fetch-runs' },
          );
        }
      }
      if (body.priority !== undefined) await queue.setPriority(row.id, body.priority);
      return queue.shape(await rowOf(row.id));
    },
  );
  app.get(
    '/api/v4/local/fetches/:id/files',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Files of a fetch',
        operationId: 'listFetchFiles',
        params: Params,
        querystring: FetchFileQuery,
        response: { 200: FetchFilePage },
      },
    },
    async ({ params, query }) => {
      const { rows, total } = await fetchList.files(
        (await rowOf(params.id)).id,
        query.filter ?? 'all',
        query.offset,
        query.limit,
      );
      const items = rows.map(({ idx, skipped, verified_at: at, ...file }) => ({
        ...file,
        index: idx,
        skipped: skipped === 1,
        verified_at: isoTime(at),
      }));
      return { items, total };
    },
  );
  app.get(
    '/api/v4/local/fetches/:id/files/:index/pieces',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Which bytes of a file are there',
        operationId: 'getFetchPieces',
        params: FileParams,
        response: { 200: FetchPieces },
      },
    },
    async ({ params: { id, index } }) => {
      const file = await fetchList.file(id, index);
      if (!file) throw new HttpProblem(404, 'There is no such file.');
      const isThere = file.state === 'done';
      const done = isThere ? whole(file.length) : await fetchJournal.pieces(id, index);
      const verified = isThere && !isUnverified(await rowOf(id));
      return {
        path: file.path,
        length: file.length,
        done: done.map(pair),
        coming: queue.inFlight(id, index).map(pair),
        verified,
      };
    },
  );
  app.get(
    '/api/v4/local/fetches/:id/log',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'The newest lines of the log of a fetch',
        operationId: 'getFetchLog',
        params: Params,
        response: { 200: Type.Array(FetchLogLine) },
      },
    },
    async ({ params }) =>
      (await fetchList.log((await rowOf(params.id)).id, lines)).map((line) => ({ ...line, at: isoTime(line.at) })),
  );
  app.post(
    '/api/v4/local/fetches/:id/stage',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Path of something that was fetched, for dragging it out',
        operationId: 'stageFetch',
        params: Params,
        body: StageRequest,
        response: { 200: Staged },
      },
    },
    async ({ params, body }) => ({
      path: await stageFetch(fetchList, await rowOf(params.id), body.index ?? null),
      job: null,
    }),
  );
}

function whole(length: number | null): readonly (readonly [number, number])[] {
  return length === null || length === 0 ? [] : [[0, length]];
}

function pair([start, end]: readonly [number, number]): [number, number] {
  return [start, end];
}
