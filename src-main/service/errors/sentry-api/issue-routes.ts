import type { FastifyRequest } from 'fastify';
import { Type, type TObject, type TString } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRole, ProjectRow } from '../../projects/projects-store.ts';
import { requireRole } from '../../projects/require-role.ts';
import { integratedBackend, type IntegratedBackendDeps } from '../issues/error-backend.ts';
import { eventShape } from './event.ts';
import { issueDetailShape, issueShape } from './issue.ts';
import { listLink } from './list-link.ts';
import { pathOf, slugsOf } from './slugs.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = IntegratedBackendDeps & Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'auth' | 'baseUrl'>;
interface IssueParams {
  readonly organization?: string;
  readonly issue_id: string;
}

const sorts = { date: 'last_seen', new: 'first_seen', freq: 'events', user: 'users' } as const;
const statuses = {
  resolved: 'resolved',
  resolvedInNextRelease: 'resolved',
  unresolved: 'unresolved',
  ignored: 'ignored',
  muted: 'ignored',
} as const;
const IssueId = Type.String({ pattern: '^[0-9]{1,15}$', description: 'Number of the error' });

/**
 * Registers Sentry's routes for issues. They serve only errors stored by this service, because a
 * chain of external backends could be circular.
 */
export function registerSentryIssues(app: App, deps: Deps): void {
  app.get(
    '/api/0/projects/:organization/:project/issues',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'The errors of a project in the shape of Sentry; the Link header has the cursor of the next page',
        operationId: 'listIssuesAsSentry',
        params: Type.Object({ organization: Type.String(), project: Type.String() }),
        querystring: Type.Object({
          query: Type.String({ maxLength: 500, default: '' }),
          sort: Type.Enum(['date', 'new', 'freq', 'user'], { default: 'date' }),
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
          cursor: Type.String({ maxLength: 200, default: '' }),
        }),
        response: { 200: Type.Array(Type.Unknown()), 404: Problem },
      },
    },
    async (request, reply) => {
      const { organization, project: slug } = request.params;
      const project = await visible(
        deps,
        request,
        await deps.projects.byPath(pathOf({ organization, project: slug })),
        'reporter',
      );
      const { query, sort, limit, cursor } = request.query;
      const page = await integratedBackend(deps, project).list({
        query,
        sort: sorts[sort],
        limit,
        ...(cursor === '' ? {} : { cursor }),
      });
      reply.header('link', listLink(request, deps.baseUrl(), page.next));
      return page.errors.map((error) => issueShape(error, project, deps.baseUrl()));
    },
  );
  // Sentry supports both; the shorter address is the older one.
  for (const address of [
    {
      prefix: '/api/0/organizations/:organization',
      name: 'OrganizationIssue',
      Params: Type.Object({ organization: Type.String(), issue_id: IssueId }),
    },
    { prefix: '/api/0', name: 'Issue', Params: Type.Object({ issue_id: IssueId }) },
  ])
    registerOneIssue(app, deps, address);
}

const StatusChange = Type.Object({
  status: Type.Enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'muted']),
});

interface IssueAddress {
  readonly prefix: string;
  /** In the names of its operations. */
  readonly name: string;
  readonly Params: TObject<{ issue_id: typeof IssueId }> | TObject<{ organization: TString; issue_id: typeof IssueId }>;
}

function registerOneIssue(app: App, deps: Deps, { prefix, name, Params }: IssueAddress): void {
  app.get(
    `${prefix}/issues/:issue_id`,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'One error in the shape of Sentry',
        operationId: `get${name}AsSentry`,
        params: Params,
        response: { 200: Type.Unknown(), 404: Problem },
      },
    },
    async (request) => issueOf(deps, request.params.issue_id, await projectOf(deps, request, 'reporter')),
  );

  app.put(
    `${prefix}/issues/:issue_id`,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Resolve, ignore or reopen an error as in Sentry; needs the role developer',
        operationId: `change${name}AsSentry`,
        params: Params,
        body: StatusChange,
        response: { 200: Type.Unknown(), 404: Problem },
      },
    },
    async (request) => {
      const project = await projectOf(deps, request, 'developer');
      const { issue_id: id } = request.params;
      await integratedBackend(deps, project).setStatus([id], statuses[request.body.status], actorOf(request));
      return issueOf(deps, id, project);
    },
  );

  app.get(
    `${prefix}/issues/:issue_id/events/:event_id`,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'An event of an error in the shape of Sentry',
        operationId: `get${name}EventAsSentry`,
        params: Type.Object({
          ...Params.properties,
          event_id: Type.String({ maxLength: 36, description: '`latest`, `oldest`, or the id of an event' }),
        }),
        response: { 200: Type.Unknown(), 404: Problem },
      },
    },
    async (request) => {
      const project = await projectOf(deps, request, 'reporter');
      const { issue_id: id, event_id: which } = request.params;
      return eventShape(await integratedBackend(deps, project).event(id, which), id);
    },
  );
}

async function issueOf(deps: Deps, id: string, project: ProjectRow) {
  return issueDetailShape(await integratedBackend(deps, project).detail(id), project, deps.baseUrl());
}

async function projectOf(
  deps: Deps,
  request: FastifyRequest<{ Params: IssueParams }>,
  needed: ProjectRole,
): Promise<ProjectRow> {
  const { organization, issue_id: id } = request.params;
  const projectId = await deps.errorDetails.projectOf(Number(id));
  const project = projectId === null ? null : await deps.projects.byId(projectId);
  return visible(
    deps,
    request,
    project && organization !== undefined && slugsOf(project).organization !== organization ? null : project,
    needed,
  );
}

async function visible(
  deps: Deps,
  request: FastifyRequest,
  project: ProjectRow | null,
  needed: ProjectRole,
): Promise<ProjectRow> {
  const found = await requireRole(deps, request, project, needed);
  if (found.monitor === 0) throw new HttpProblem(404, 'Monitor is off for this project.');
  return found;
}
