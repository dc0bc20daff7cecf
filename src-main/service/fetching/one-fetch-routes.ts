import { Type } from 'typebox';
import { Fetch, FetchChange, FetchFilePage, FetchFileQuery, FetchLogLine, FetchPieces } from '../contract/fetches.ts';
import { Staged, StageRequest } from '../contract/jobs.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { HttpProblem } from '../common/problem.ts';
import { isoTime } from '../common/iso-time.ts';
import type { FetchQueue } from './queue/fetch-queue.ts';
import { isUnverified, type FetchRow } from './store/fetch-row.ts';
import { folderOf } from './new-fetch.ts';
import { stageFetch } from './stage-fetch.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { FetchStores } from './store/stores.ts';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Params = Type.Object({ id: Id });
const FileParams = Type.Object({ id: Id, index: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) });
const lines = 500;

export type FetchRoutesDeps = ServerStores &
  Pick<FetchStores, 'fetches' | 'fetchList' | 'fetchJournal'> & {
    readonly config: ServiceConfig;
    readonly auth: Authentication;
    readonly fetchQueue: FetchQueue;
  };

/** Routes of one fetch, with its files, pieces and log. */
export function registerOneFetch(app: App, deps: FetchRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/fetches/:id',
    guarded({ summary: 'One fetch', operationId: 'getFetch', params: Params, response: { 200: Fetch } }),
    async ({ params }) => deps.fetchQueue.shape(await rowOf(deps, params.id)),
  );

  app.patch(
    '/api/v4/local/fetches/:id',
    guarded({
      summary: 'Change the priority or the folder of a fetch',
      description: 'Another folder starts the fetch again; files already there that are right are kept.',
      operationId: 'changeFetch',
      params: Params,
      body: FetchChange,
      response: { 200: Fetch },
    }),
    async ({ params, body }) => {
      const row = await rowOf(deps, params.id);
      if (body.target !== undefined) {
        const target = await folderOf(deps, body.target, { baseUrl: row.base_url, measurementId: row.measurement_id });
        if (!(await deps.fetchQueue.setTarget(row.id, target))) {
          throw new HttpProblem(
            409,
            'This fetch is running or has ended, so its folder cannot change. Pause it first.',
            { type: 'fetch-runs' },
          );
        }
      }
      if (body.priority !== undefined) await deps.fetchQueue.setPriority(row.id, body.priority);
      return deps.fetchQueue.shape(await rowOf(deps, row.id));
    },
  );
  registerStaging(app, deps);
  registerFetchFiles(app, deps);
  registerFetchPiecesAndLog(app, deps);
}

function registerStaging(app: App, deps: FetchRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/fetches/:id/stage',
    guarded({
      summary: 'Path of something that was fetched, for dragging it out',
      operationId: 'stageFetch',
      params: Params,
      body: StageRequest,
      response: { 200: Staged },
    }),
    async ({ params, body }) => ({
      path: await stageFetch(deps.fetchList, await rowOf(deps, params.id), body.index ?? null),
      job: null,
    }),
  );
}

function registerFetchFiles(app: App, deps: FetchRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/fetches/:id/files',
    guarded({
      summary: 'Files of a fetch',
      operationId: 'listFetchFiles',
      params: Params,
      querystring: FetchFileQuery,
      response: { 200: FetchFilePage },
    }),
    async ({ params, query }) => {
      const { rows, total } = await deps.fetchList.files(
        (await rowOf(deps, params.id)).id,
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
}

function registerFetchPiecesAndLog(app: App, deps: FetchRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/fetches/:id/files/:index/pieces',
    guarded({
      summary: 'Which bytes of a file are there',
      operationId: 'getFetchPieces',
      params: FileParams,
      response: { 200: FetchPieces },
    }),
    async ({ params: { id, index } }) => {
      const file = await deps.fetchList.file(id, index);
      if (!file) throw new HttpProblem(404, 'There is no such file.');
      const isThere = file.state === 'done';
      const done = isThere ? whole(file.length) : await deps.fetchJournal.pieces(id, index);
      const verified = isThere && !isUnverified(await rowOf(deps, id));
      return {
        path: file.path,
        length: file.length,
        done: done.map(pair),
        coming: deps.fetchQueue.inFlight(id, index).map(pair),
        verified,
      };
    },
  );

  app.get(
    '/api/v4/local/fetches/:id/log',
    guarded({
      summary: 'The newest lines of the log of a fetch',
      operationId: 'getFetchLog',
      params: Params,
      response: { 200: Type.Array(FetchLogLine) },
    }),
    async ({ params }) =>
      (await deps.fetchList.log((await rowOf(deps, params.id)).id, lines)).map((line) => ({
        ...line,
        at: isoTime(line.at),
      })),
  );
}

async function rowOf(deps: FetchRoutesDeps, id: number): Promise<FetchRow> {
  const row = await deps.fetches.byId(id);
  if (!row) throw new HttpProblem(404, 'There is no such fetch.');
  return row;
}

function whole(length: number | null): readonly (readonly [number, number])[] {
  return length === null || length === 0 ? [] : [[0, length]];
}

function pair([start, end]: readonly [number, number]): [number, number] {
  return [start, end];
}
