import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ErrorStatus } from '../../contract/errors.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRole, ProjectRow } from '../../projects/projects-store.ts';
import { requireRole } from '../../projects/require-role.ts';
import { errorBackend, type ErrorBackendDeps } from '../issues/error-backend.ts';
import { ExternalFailure } from '../external/external-failure.ts';
import { externalUrlOfSettings } from '../settings/settings-shape.ts';
import { detailEntry, listEntry, stackTrace } from './shapes.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = ErrorBackendDeps & Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'auth' | 'baseUrl'>;

const sorts = { last_seen: 'last_seen', first_seen: 'first_seen', frequency: 'events' } as const;
const pageSize = 20;
const Params = Type.Object({ project: Type.String({ description: 'Path of the project' }) });
const ErrorParams = Type.Object({
  ...Params.properties,
  id: Type.String({ pattern: '^[0-9]{1,20}$', description: 'Number of the error' }),
});

/**
 * Registers the routes that GitLab's own screens use, for programs written for them. 404 while
 * Monitor is off for the project.
 */
export function registerGitlabScreens(app: App, deps: Deps): void {
  app.get(
    '/:project/-/error_tracking.json',
    {
      onRequest: deps.auth.require('read_api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'The error list in the shape of GitLab',
        operationId: 'listErrorsAsGitlab',
        params: Params,
        querystring: Type.Object({
          search_term: Type.String({ maxLength: 400, default: '' }),
          issue_status: Type.Enum(['unresolved', 'resolved', 'ignored'], { default: 'unresolved' }),
          sort: Type.Enum(['last_seen', 'first_seen', 'frequency'], { default: 'last_seen' }),
          cursor: Type.Optional(Type.String({ maxLength: 200 })),
        }),
        response: {
          200: Type.Object({
            errors: Type.Array(Type.Unknown()),
            pagination: Type.Unknown(),
            external_url: Type.Unknown(),
          }),
          404: GitlabError,
        },
      },
    },
    async (request, reply) => {
      const project = await enabledProject(deps, request, 'reporter');
      const { search_term: words, issue_status: status, sort, cursor } = request.query;
      const query = {
        query: `is:${status} ${words}`,
        sort: sorts[sort],
        limit: pageSize,
        ...(cursor ? { cursor } : {}),
      };
      return asGitlab(reply, async () => {
        const page = await (await errorBackend(deps, project)).list(query);
        const settings = await deps.errorSettings.of(project.id);
        reply.header('poll-interval', '10000');
        return {
          errors: page.errors.map((error) => listEntry(error, project, deps.baseUrl())),
          pagination: page.next === null ? {} : { next: { cursor: page.next } },
          external_url: settings && settings.integrated === 0 ? externalUrlOfSettings(settings) : null,
        };
      });
    },
  );
  registerOneError(app, deps);
  registerErrorChange(app, deps);
}

function registerOneError(app: App, deps: Deps): void {
  app.get(
    '/:project/-/error_tracking/:id/details.json',
    {
      onRequest: deps.auth.require('read_api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'One error in the shape of GitLab',
        operationId: 'getErrorAsGitlab',
        params: ErrorParams,
        response: { 200: Type.Object({ error: Type.Unknown() }), 404: GitlabError },
      },
    },
    async (request, reply) => {
      const project = await enabledProject(deps, request, 'reporter');
      return asGitlab(reply, async () => {
        const error = await (await errorBackend(deps, project)).detail(request.params.id);
        return { error: detailEntry(error, project, deps.baseUrl()) };
      });
    },
  );

  app.get(
    '/:project/-/error_tracking/:id/stack_trace.json',
    {
      onRequest: deps.auth.require('read_api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'The stack trace of the latest event in the shape of GitLab',
        operationId: 'getStackTraceAsGitlab',
        params: ErrorParams,
        response: { 200: Type.Object({ error: Type.Unknown() }), 404: GitlabError },
      },
    },
    async (request, reply) => {
      const project = await enabledProject(deps, request, 'reporter');
      return asGitlab(reply, async () => {
        const { event } = await (await errorBackend(deps, project)).event(request.params.id, 'latest');
        return { error: stackTrace(request.params.id, event) };
      });
    },
  );
}

function registerErrorChange(app: App, deps: Deps): void {
  app.put(
    '/:project/-/error_tracking/:id',
    {
      onRequest: deps.auth.require('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'Resolve, ignore or reopen an error, as GitLab does; needs the role developer',
        operationId: 'changeErrorAsGitlab',
        params: Type.Object({
          ...Params.properties,
          id: Type.String({ pattern: '^[0-9]{1,20}(\\.json)?$', description: 'Number of the error and .json' }),
        }),
        body: Type.Object({ status: ErrorStatus }),
        response: { 200: Type.Object({ updated: Type.Boolean(), closed_issue_iid: Type.Null() }), 404: GitlabError },
      },
    },
    async (request, reply) => {
      const project = await enabledProject(deps, request, 'developer');
      const id = request.params.id.replace('.json', '');
      return asGitlab(reply, async () => {
        const backend = await errorBackend(deps, project);
        await backend.detail(id);
        await backend.setStatus([id], request.body.status, actorOf(request));
        return { updated: true, closed_issue_iid: null };
      });
    },
  );
}

async function enabledProject(
  deps: Deps,
  request: FastifyRequest<{ Params: { readonly project: string } }>,
  needed: ProjectRole,
): Promise<ProjectRow> {
  const project = await requireRole(deps, request, await deps.projects.byPath(request.params.project), needed);
  if (project.monitor === 0) throw new HttpProblem(404, 'Monitor is off for this project.');
  if ((await deps.errorSettings.of(project.id))?.active !== 1)
    throw new HttpProblem(400, 'Error Tracking is not enabled');
  return project;
}

/** Maps failures of an external backend to 400, as GitLab does, and forbids caching. */
async function asGitlab<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  reply.header('cache-control', 'no-store');
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExternalFailure) throw new HttpProblem(400, error.message, { cause: error });
    throw error;
  }
}
