import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { Principal } from '../../http/principal.ts';
import { organizationShape, sentryProjectShape } from './issue.ts';
import { slugsOf } from './slugs.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> & Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'auth'>;

const Listed = Type.Array(Type.Unknown());

/**
 * Registers Sentry's routes for the current user and for the lists of organisations and projects,
 * from which users of this service as an external backend choose.
 */
export function registerSentryProjects(app: App, deps: Deps): void {
  app.get(
    '/api/0',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'Whose token this is, in the shape of Sentry',
        operationId: 'getCallerAsSentry',
        response: { 200: Type.Unknown() },
      },
    },
    async (request) => {
      const { userId, username, scopes } = principalOf(request);
      const user = await deps.users.byId(userId);
      return {
        version: '0',
        user: { id: String(userId), username, name: user?.name ?? username, email: user?.email ?? '' },
        auth: { scopes: [...scopes] },
      };
    },
  );

  app.get(
    '/api/0/projects',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: "The caller's projects in the shape of Sentry",
        operationId: 'listProjectsAsSentry',
        response: { 200: Listed, 404: Problem },
      },
    },
    async (request) => (await projectsOf(deps, principalOf(request))).map((project) => sentryProjectShape(project)),
  );
  registerOrganizations(app, deps);
}

function registerOrganizations(app: App, deps: Deps): void {
  app.get(
    '/api/0/organizations',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: "The paths above the caller's projects, as organisations of Sentry",
        operationId: 'listOrganizationsAsSentry',
        response: { 200: Listed, 404: Problem },
      },
    },
    async (request) => {
      const firstCreated = new Map<string, number>();
      for (const project of await projectsOf(deps, principalOf(request))) {
        const { organization } = slugsOf(project);
        firstCreated.set(
          organization,
          Math.min(project.created_at, firstCreated.get(organization) ?? Number.POSITIVE_INFINITY),
        );
      }
      return [...firstCreated].map(([slug, createdAt]) => organizationShape(slug, createdAt));
    },
  );

  app.get(
    '/api/0/organizations/:organization/projects',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: "The caller's projects of one organisation in the shape of Sentry",
        operationId: 'listOrganizationProjectsAsSentry',
        params: Type.Object({ organization: Type.String() }),
        response: { 200: Listed, 404: Problem },
      },
    },
    async (request) => {
      const projects = (await projectsOf(deps, principalOf(request))).filter(
        (project) => slugsOf(project).organization === request.params.organization,
      );
      if (projects.length === 0)
        throw new HttpProblem(404, 'There is no such organisation, or you are in none of its projects.');
      return projects.map((project) => sentryProjectShape(project));
    },
  );
}

async function projectsOf(deps: Deps, { userId, isAdmin }: Principal): Promise<readonly ProjectRow[]> {
  return (await deps.projects.overviews(userId, isAdmin)).filter((project) => project.monitor === 1);
}
