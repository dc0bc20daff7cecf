import { Type } from 'typebox';
import { OwnErrorsChange, OwnErrorsState, WindowError } from '../contract/own-errors.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { ownErrorsState, switchOwnErrors } from './own-errors-project.ts';
import type { OwnErrors } from './own-errors.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { ErrorStores } from '../errors/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'errorSettings'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'changes' | 'events' | 'secrets' | 'settings'> & {
    readonly ownErrors: OwnErrors;
  };

const address = '/api/v4/application/own_errors';

/**
 * Registers the switch for Benchport's own errors, for administrators, and the route that receives
 * errors of the window.
 */
export function registerOwnErrorRoutes(app: App, deps: Deps): void {
  async function state(): Promise<OwnErrorsState> {
    const { on, project } = await ownErrorsState(deps);
    return { on, project: project && { id: project.id, path: project.path } };
  }

  app.get(
    address,
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['errors'],
        summary: 'Whether Benchport keeps errors of its own',
        operationId: 'getOwnErrors',
        response: { 200: OwnErrorsState },
      },
    },
    state,
  );
  app.put(
    address,
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['errors'],
        summary: 'Switch the keeping of Benchport’s own errors on or off',
        description: 'With the first time a project is made for them, which administrators see.',
        operationId: 'switchOwnErrors',
        body: OwnErrorsChange,
        response: { 200: OwnErrorsState },
      },
    },
    async (request) => {
      await switchOwnErrors(deps, request.body.on, actorOf(request));
      return state();
    },
  );
  app.post(
    '/api/v4/local/own-errors',
    {
      onRequest: deps.auth.requireWindow,
      config: { windowOnly: true },
      schema: {
        tags: ['errors'],
        summary: 'Take an error of the window',
        operationId: 'reportWindowError',
        body: WindowError,
        response: { 202: Type.Object({}) },
      },
    },
    async (request, reply) => {
      const { part, ...error } = request.body;
      deps.ownErrors.report({ ...error, source: part });
      return reply.code(202).send({});
    },
  );
}
