import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { ErrorParams, Merged, MergeErrors, UnmergeGroups } from '../../contract/error-views.ts';
import { ProjectParams } from '../../contract/projects.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { errorBackend, type ErrorBackendDeps } from '../issues/error-backend.ts';
import { errorProject, refuseExternal } from '../settings/error-project.ts';
import { mergeErrors } from './merge-errors.ts';
import { unmergeGroups } from './unmerge-groups.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = ErrorBackendDeps & Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'auth'>;

const ErrorNumber = Type.Object({ id: Type.String({ description: 'Number of the error' }) });
const errors = { 404: Problem, 409: Problem };

/** Registers the routes that merge errors and split them again. */
export function registerErrorMergeRoutes(app: App, deps: Deps): void {
  app.post(
    '/api/v4/projects/:id/errors/merge',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Make one error of several, and answer with the one that is left; needs the role developer',
        operationId: 'mergeErrors',
        params: ProjectParams,
        body: MergeErrors,
        response: { 200: Merged, ...errors },
      },
    },
    async (request) => {
      const project = await errorProject(deps, request, 'developer');
      refuseExternal((await errorBackend(deps, project)).kind);
      return mergeErrors(deps, project, request.body.ids, actorOf(request));
    },
  );

  app.post(
    '/api/v4/projects/:id/errors/:error_id/unmerge',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Make a new error of some groups of an error, and answer with the new one; needs the role developer',
        operationId: 'unmergeError',
        params: ErrorParams,
        body: UnmergeGroups,
        response: { 200: ErrorNumber, ...errors },
      },
    },
    async (request) => {
      const project = await errorProject(deps, request, 'developer');
      refuseExternal((await errorBackend(deps, project)).kind);
      return { id: await unmergeGroups(deps, project, request.params.error_id, request.body.groups, actorOf(request)) };
    },
  );
}
