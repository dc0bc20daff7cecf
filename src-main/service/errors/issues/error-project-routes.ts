import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { EventCounts, EventPeriod } from '../../contract/error-overview.ts';
import { Intake } from '../../contract/error-views.ts';
import { ReleaseHealth } from '../../contract/errors.ts';
import { ProjectParams } from '../../contract/projects.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { announceErrors } from '../ingest/announce-errors.ts';
import { ingestStatsOf } from '../ingest/ingest-stats.ts';
import { eventTotals } from '../store/event-totals.ts';
import { errorProject } from '../settings/error-project.ts';
import { addTestEvent } from './error-test-event.ts';
import { releaseHealth } from '../sessions/releases.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'errorEvents' | 'intake' | 'releases' | 'errorSettings'> &
  Pick<ServiceContext, 'auth' | 'events' | 'secrets'> & {
    readonly config: ServiceConfig;
  };

/**
 * Registers the routes for a project's errors as a whole: its releases, ingestion counts and the
 * test event.
 */
export function registerErrorProjectRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/projects/:id/releases',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'Shares of sessions and users without a crash, by release and environment, of the last 14 days',
        operationId: 'listReleases',
        params: ProjectParams,
        response: { 200: Type.Array(ReleaseHealth), 404: Problem },
      },
    },
    async (request) => releaseHealth(deps, (await errorProject(deps, request, 'reporter')).id),
  );

  app.get(
    '/api/v4/projects/:id/error_tracking/intake',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'Events received and not stored in each of the last 24 hours',
        operationId: 'getIntake',
        params: ProjectParams,
        response: { 200: Intake, 404: Problem },
      },
    },
    async (request) => ingestStatsOf(deps, (await errorProject(deps, request, 'reporter')).id),
  );

  app.get(
    '/api/v4/projects/:id/error_tracking/event_counts',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'Events received and refused over 24 hours or 14 days by hour, or over 90 days by day',
        operationId: 'getEventCounts',
        params: ProjectParams,
        querystring: Type.Object({ period: Type.Optional(EventPeriod) }),
        response: { 200: EventCounts, 404: Problem },
      },
    },
    async (request) =>
      eventTotals(deps, (await errorProject(deps, request, 'reporter')).id, request.query.period ?? '24h'),
  );
  registerTestEvent(app, deps);
}

function registerTestEvent(app: App, deps: Deps): void {
  const announce = announceErrors(deps);

  app.post(
    '/api/v4/projects/:id/error_tracking/test_event',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Add an event that shows error tracking at work; needs the role developer',
        operationId: 'sendTestEvent',
        params: ProjectParams,
        response: {
          201: Type.Object({ id: Type.String({ description: 'Id of the event' }) }),
          404: Problem,
          409: Problem,
        },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'developer');
      return reply.code(201).send({ id: await addTestEvent(deps, project, principalOf(request).username, announce) });
    },
  );
}
