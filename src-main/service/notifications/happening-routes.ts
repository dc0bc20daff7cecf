import { Type } from 'typebox';
import type { CaptureStores } from '../capture/store/stores.ts';
import { isoTime } from '../common/iso-time.ts';
import { Problem } from '../contract/common.ts';
import {
  HappeningCounts,
  HappeningQuery,
  Happenings,
  HappeningsSeen,
  type Happening,
} from '../contract/notifications/happenings.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import type { Principal } from '../http/principal.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { HappeningRow } from './store/happenings-store.ts';
import type { NotificationStores } from './store/stores.ts';

export type HappeningRoutesDeps = Pick<NotificationStores, 'happenings'> &
  Pick<MeasurementStores, 'measurements'> &
  Pick<CaptureStores, 'captureList'> &
  Pick<ServiceContext, 'auth' | 'events'>;

const path = '/api/v4/user/happenings';
const tags = ['notifications'];
const defaultLimit = 50;

/** Routes of what has happened for a user, whether or not a rule tells of it. */
export function registerHappeningRoutes(app: App, deps: HappeningRoutesDeps): void {
  const { auth, events, happenings } = deps;
  app.get(
    path,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'What has happened in the last thirty days, newest first',
        operationId: 'listHappenings',
        querystring: HappeningQuery,
        response: { 200: Happenings },
      },
    },
    async (request) => {
      const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = defaultLimit } = request.query;
      const viewer = principalOf(request);
      const { last_id: lastId } = await happenings.seen(viewer.userId);
      return (await happenings.list(viewer, after, before, limit)).map((row) => happeningShape(row, lastId));
    },
  );
  app.get(
    `${path}/counts`,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'How much asks for a look',
        operationId: 'countHappenings',
        response: { 200: HappeningCounts },
      },
    },
    async (request) => countsFor(deps, principalOf(request)),
  );
  app.post(
    `${path}/seen`,
    {
      onRequest: auth.require('api'),
      schema: {
        tags,
        summary: 'Mark happenings as seen, up to one of them',
        operationId: 'markHappeningsSeen',
        body: HappeningsSeen,
        response: { 204: Type.Null(), 400: Problem },
      },
    },
    async (request, reply) => {
      const { userId } = principalOf(request);
      const { until = 0, errors_until: errorsUntil = 0 } = request.body;
      await happenings.markSeen(userId, { last_id: until, last_error_id: errorsUntil }, Date.now());
      events.emit('changed', { topic: 'happenings' });
      return reply.code(204).send(null);
    },
  );
}

async function countsFor(deps: HappeningRoutesDeps, viewer: Principal): Promise<HappeningCounts> {
  const { happenings, measurements, captureList } = deps;
  const seen = await happenings.seen(viewer.userId);
  const [unseen, errors, [newest], degraded, runs] = await Promise.all([
    happenings.countAfter(viewer, seen.last_id),
    happenings.countErrorsAfter(viewer.userId, seen.last_error_id),
    happenings.list(viewer, 0, Number.MAX_SAFE_INTEGER, 1),
    measurements.list({
      visibleTo: viewer.isAdmin ? null : viewer.userId,
      search: '',
      problems: true,
      limit: 1,
      offset: 0,
      sort: 'created_at',
      descending: true,
      now: Date.now(),
    }),
    viewer.isAdmin ? captureList.counts() : null,
  ]);
  const stuck = runs?.get(null)?.needs_you ?? 0;
  return { unseen, errors, degraded: degraded.total.count, stuck, newest: newest?.id ?? 0 };
}

function happeningShape(row: HappeningRow, lastId: number): Happening {
  const { id, kind, subject, title, measurement_id, project_id, project_path } = row;
  const seen = id <= lastId;
  return { id, at: isoTime(row.at), kind, subject, title, measurement_id, project_id, project_path, seen };
}
