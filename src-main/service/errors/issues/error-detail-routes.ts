import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { ErrorEventParams, ErrorParams } from '../../contract/error-views.ts';
import { ErrorDetail, ErrorEventPage } from '../../contract/errors.ts';
import type { App } from '../../http/app.ts';
import { attachment } from '../../http/semantics/content-disposition.ts';
import { errorBackend, type ErrorBackendDeps } from './error-backend.ts';
import { errorProject } from '../settings/error-project.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = ErrorBackendDeps & Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'auth'>;

const errors = { 404: Problem, 502: Problem, 504: Problem };

/** Registers the routes for one error and for its events. */
export function registerErrorDetailRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/projects/:id/errors/:error_id',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'One error: counts, bars, tags, releases and the groups that were merged into it',
        operationId: 'getError',
        params: ErrorParams,
        response: { 200: ErrorDetail, ...errors },
      },
    },
    async (request) =>
      (await errorBackend(deps, await errorProject(deps, request, 'reporter'))).detail(request.params.error_id),
  );

  app.get(
    '/api/v4/projects/:id/errors/:error_id/events/:event_id',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary:
          'One event of an error, with the ids of the events before and after it; positions count from the oldest that is kept',
        operationId: 'getErrorEvent',
        params: ErrorEventParams,
        response: { 200: ErrorEventPage, ...errors },
      },
    },
    async (request) => {
      const backend = await errorBackend(deps, await errorProject(deps, request, 'reporter'));
      return backend.event(request.params.error_id, request.params.event_id);
    },
  );

  app.get(
    '/api/v4/projects/:id/errors/:error_id/events/:event_id/raw',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'One event as a JSON file to save',
        operationId: 'getRawErrorEvent',
        params: ErrorEventParams,
        response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } }, ...errors },
      },
    },
    async (request, reply) => {
      const backend = await errorBackend(deps, await errorProject(deps, request, 'reporter'));
      const { event } = await backend.rawEvent(request.params.error_id, request.params.event_id);
      return reply
        .header('content-disposition', attachment(`event-${event.event_id}.json`))
        .type('application/json')
        .serializer((text: string) => text)
        .send(`${JSON.stringify(event, null, 2)}\n`);
    },
  );
}
