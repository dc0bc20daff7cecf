import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { ErrorIds } from '../../contract/error-views.ts';
import { ErrorPageOfProjects } from '../../contract/error-overview.ts';
import { ErrorChange, ErrorListQuery, ErrorPage } from '../../contract/errors.ts';
import { ProjectParams } from '../../contract/projects.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { deleteErrors } from './change-errors.ts';
import { listErrorsOfProjects } from './error-list-of-projects.ts';
import { errorBackend, type ErrorBackendDeps } from './error-backend.ts';
import { errorProject, refuseExternal } from '../settings/error-project.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = ErrorBackendDeps & Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'auth'>;

const address = '/api/v4/projects/:id/errors';

/** Registers the routes for the error list and for changes of several errors at once. */
export function registerErrorListRoutes(app: App, deps: Deps): void {
  app.get(
    address,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'The errors of a project, a page at a time; how many there are is said on the first page',
        operationId: 'listErrors',
        params: ProjectParams,
        querystring: ErrorListQuery,
        response: { 200: ErrorPage, 404: Problem, 502: Problem, 504: Problem },
      },
    },
    async (request) => (await errorBackend(deps, await errorProject(deps, request, 'reporter'))).list(request.query),
  );

  app.get(
    '/api/v4/errors',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'The errors of all projects that the caller may see and whose errors are kept here, a page at a time',
        operationId: 'listErrorsOfProjects',
        querystring: ErrorListQuery,
        response: { 200: ErrorPageOfProjects },
      },
    },
    async (request) => listErrorsOfProjects(deps, principalOf(request), request.query),
  );
  registerErrorChanges(app, deps);
}

function registerErrorChanges(app: App, deps: Deps): void {
  app.put(
    address,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Resolve, ignore or reopen errors; needs the role developer. Errors that are gone are passed over',
        operationId: 'changeErrors',
        params: ProjectParams,
        body: ErrorChange,
        response: { 204: Type.Null(), 404: Problem, 502: Problem, 504: Problem },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'developer');
      await (await errorBackend(deps, project)).setStatus(request.body.ids, request.body.status, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    address,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Delete errors with their events; needs the role maintainer. Errors that are gone are passed over',
        operationId: 'deleteErrors',
        params: ProjectParams,
        body: ErrorIds,
        response: { 204: Type.Null(), 404: Problem, 409: Problem },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'maintainer');
      refuseExternal((await errorBackend(deps, project)).kind);
      await deleteErrors(deps, project, request.body.ids, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}
