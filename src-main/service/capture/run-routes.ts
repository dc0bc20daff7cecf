import { Type } from 'typebox';
import {
  CaptureChanged,
  CaptureHistory,
  CaptureRunActionRequest,
  CaptureRunPage,
  CaptureRunQuery,
} from '../contract/capture/runs.ts';
import { Problem } from '../contract/common.ts';
import type { Events } from '../common/events.ts';
import { isoTime } from '../common/iso-time.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { runShape } from './capture-shape.ts';
import { actOnRuns, type ActOnRunsDeps } from './rules/act-on-runs.ts';
import { noCounts } from './store/capture-list-store.ts';
import type { CaptureStores } from './store/stores.ts';

export type RunRoutesDeps = ActOnRunsDeps &
  CaptureStores & {
    readonly auth: Authentication;
    readonly events: Events;
    /** Has the folders read at once. */
    readonly wake: () => void;
  };

const Id = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const path = '/api/v4/local/captures/runs';

/** Routes of the runs in watched folders. */
export function registerRuns(app: App, deps: RunRoutesDeps): void {
  const { captureList } = deps;
  const guarded = windowRoutes(deps.auth);
  app.get(
    path,
    guarded({
      summary: 'Runs in watched folders, those found last first',
      operationId: 'listCaptureRuns',
      querystring: CaptureRunQuery,
      response: { 200: CaptureRunPage },
    }),
    async ({ query: { rule_id: ruleId = null, filter = 'all', search = '', offset, limit } }) => {
      const { rows, total } = await captureList.page({ ruleId, filter, search, offset, limit });
      return { items: rows.map(runShape), total, counts: (await captureList.counts()).get(ruleId) ?? noCounts };
    },
  );
  app.get(
    `${path}/:id/history`,
    guarded({
      summary: 'What happened to a run, newest first',
      operationId: 'getCaptureHistory',
      params: Id,
      response: { 200: CaptureHistory },
    }),
    async ({ params }) => (await captureList.history(params.id)).map(({ at, ...row }) => ({ at: isoTime(at), ...row })),
  );
  app.post(
    `${path}/actions`,
    guarded({
      summary: 'Register, retry, skip or keep runs',
      description: 'Runs to which the action does not apply stay as they are.',
      operationId: 'actOnCaptureRuns',
      body: CaptureRunActionRequest,
      response: { 200: CaptureChanged, 400: Problem, 409: Problem },
    }),
    async (request) => {
      const { body } = request;
      const changed = await actOnRuns(deps, body, actorOf(request));
      deps.events.emit('changed', { topic: 'captures' });
      deps.wake();
      return { changed };
    },
  );
}
