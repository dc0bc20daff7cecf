import { Type } from 'typebox';
import { requirePersonally } from '../../accounts/confirmation/require-confirmation.ts';
import { GitlabApplication } from '../../contract/applications.ts';
import { PageQuery } from '../../contract/common.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { readPage } from '../../http/pagination.ts';
import { applicationMissing, removeApplication, renewApplicationSecret } from './application-change.ts';
import { checkApplication } from './application-check.ts';
import { gitlabApplicationShape } from './application-shape.ts';
import { registerApplication } from './register-application.ts';
import type { Application } from '../shared/types.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> &
  Pick<OAuthStores, 'applications'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events' | 'settings'>;

const path = '/api/v4/applications';
const Params = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Number of the application' }) });
const NewGitlabApplication = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  redirect_uri: Type.String({ minLength: 1, maxLength: 110_000, description: 'One a line' }),
  scopes: Type.String({ maxLength: 1000, description: 'Separated by spaces' }),
  confidential: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])], { description: 'True when left out' }),
  ),
});
const WithSecret = Type.Object({
  ...GitlabApplication.properties,
  secret: Type.String({ description: 'Empty for a public application' }),
});

/** GitLab-compatible routes for administrators' programs that manage applications. */
export function registerApplicationAdminRoutes(app: App, deps: Deps): void {
  app.get(
    path,
    {
      onRequest: deps.auth.requireAdmin('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['applications'],
        summary: 'All registered applications; administrators only',
        operationId: 'listAllApplications',
        querystring: PageQuery,
        response: { 200: Type.Array(GitlabApplication) },
      },
    },
    async (request, reply) => {
      const rows = await readPage(request, reply, deps.baseUrl(), (limit, offset) =>
        deps.applications.page(limit, offset),
      );
      return rows.map(gitlabApplicationShape);
    },
  );

  app.post(
    path,
    {
      onRequest: deps.auth.requireAdmin('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['applications'],
        summary: 'Register an application; administrators only',
        description: 'The secret is only in this answer.',
        operationId: 'registerApplicationAsAdministrator',
        body: NewGitlabApplication,
        response: { 201: WithSecret },
      },
    },
    async (request, reply) => {
      const { name, redirect_uri: redirectUri, scopes, confidential = true } = request.body;
      const input = {
        ownerId: principalOf(request).userId,
        name,
        redirectUris: redirectUri.split(/\s+/),
        scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
        confidential: confidential === true || confidential === 'true',
        deviceGrant: false,
        trusted: false,
        legacyImplicit: false,
      };
      await checkApplication(deps, input);
      await requirePersonally(deps, request);
      const { application, secret } = await registerApplication(deps, input, actorOf(request));
      return reply.code(201).send({ ...gitlabApplicationShape(application), secret: secret ?? '' });
    },
  );
  registerRemovalAndRenewal(app, deps);
}

function registerRemovalAndRenewal(app: App, deps: Deps): void {
  app.delete(
    `${path}/:id`,
    {
      onRequest: deps.auth.requireAdmin('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['applications'],
        summary: 'Remove any application; administrators only',
        operationId: 'removeAnyApplication',
        params: Params,
        response: { 204: Type.Null(), 404: GitlabError },
      },
    },
    async (request, reply) => {
      await removeApplication(deps, await known(deps, request.params.id), actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/:id/renew-secret`,
    {
      onRequest: deps.auth.requireAdmin('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['applications'],
        summary: 'Give any application a new secret; administrators only',
        operationId: 'renewAnyApplicationSecret',
        params: Params,
        response: { 201: WithSecret, 404: GitlabError, 422: GitlabError },
      },
    },
    async (request, reply) => {
      await requirePersonally(deps, request);
      const application = await known(deps, request.params.id);
      const secret = await renewApplicationSecret(deps, application, actorOf(request));
      return reply.code(201).send({ ...gitlabApplicationShape(application), secret });
    },
  );
}

async function known(deps: Deps, id: number): Promise<Application> {
  const application = await deps.applications.byId(id);
  if (!application) throw applicationMissing();
  return application;
}
