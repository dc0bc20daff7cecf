import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireConfirmation, requirePersonally } from '../../accounts/confirmation/require-confirmation.ts';
import {
  ApplicationChange,
  CreatedApplication,
  NewApplication,
  OAuthApplication,
  RenewedSecret,
} from '../../contract/applications.ts';
import { Problem } from '../../contract/common.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import {
  applicationMissing,
  changeApplication,
  removeApplication,
  renewApplicationSecret,
} from './application-change.ts';
import { checkApplication } from './application-check.ts';
import { applicationShape } from './application-shape.ts';
import { registerApplication } from './register-application.ts';
import type { Application } from '../shared/types.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> &
  Pick<OAuthStores, 'applications' | 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events' | 'settings'>;

const path = '/api/v4/user/applications';
const Params = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Number of the application' }) });
const ListQuery = Type.Object({
  all: Type.Boolean({ default: false, description: 'Those of all users; administrators only' }),
});

/** Routes of the applications screen: users see their own applications, administrators see all. */
export function registerApplicationRoutes(app: App, deps: Deps): void {
  app.get(
    path,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['applications'],
        summary: "The caller's registered applications, newest first",
        operationId: 'listApplications',
        querystring: ListQuery,
        response: { 200: Type.Array(OAuthApplication) },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      if (request.query.all && !principal.isAdmin)
        throw new HttpProblem(403, "Only an administrator may see everybody's applications.");
      const applications = await (request.query.all
        ? deps.applications.all()
        : deps.applications.ofUser(principal.userId));
      return Promise.all(applications.map(async (application) => applicationShape(deps, application)));
    },
  );

  app.post(
    path,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['applications'],
        summary: 'Register an application; only from the window or a signed-in browser',
        description: 'The secret is only in this answer.',
        operationId: 'registerApplication',
        body: NewApplication,
        response: { 201: CreatedApplication },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const input = {
        ownerId: principalOf(request).userId,
        name: body.name,
        redirectUris: body.redirect_uris,
        scopes: body.scopes,
        confidential: body.confidential,
        deviceGrant: body.device_grant ?? false,
        trusted: checkedTrust(request, body.trusted) ?? false,
        legacyImplicit: false,
      };
      // Validate before asking for a password, so that the user does not enter it in vain.
      await checkApplication(deps, input);
      await requireConfirmation(deps, request);
      const { application, secret } = await registerApplication(deps, input, actorOf(request));
      return reply.code(201).send({ ...(await applicationShape(deps, application)), client_secret: secret });
    },
  );
  registerApplicationChanges(app, deps);
  registerSecretRenewal(app, deps);
}

function registerApplicationChanges(app: App, deps: Deps): void {
  app.patch(
    `${path}/:id`,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['applications'],
        summary: 'Change an application: your own, any as an administrator',
        operationId: 'changeApplication',
        params: Params,
        body: ApplicationChange,
        response: { 200: OAuthApplication, 404: Problem },
      },
    },
    async (request) => {
      const before = await reachable(deps, request, request.params.id);
      // Users of a trusted application are not asked for consent, so its owner must not change its
      // scopes and redirect URIs.
      if (before.trusted && !principalOf(request).isAdmin)
        throw new HttpProblem(403, 'Only an administrator may change a trusted application.');
      const { body } = request;
      const fields = {
        name: body.name ?? before.name,
        redirectUris: body.redirect_uris ?? before.redirectUris,
        scopes: body.scopes ?? before.scopes,
        deviceGrant: body.device_grant ?? before.deviceGrant,
        trusted: checkedTrust(request, body.trusted) ?? before.trusted,
      };
      await checkApplication(deps, { ...before, ...fields });
      await requirePersonally(deps, request);
      return applicationShape(deps, await changeApplication(deps, before, fields, actorOf(request)));
    },
  );

  app.delete(
    `${path}/:id`,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['applications'],
        summary: 'Remove an application, and end every access it was given',
        operationId: 'removeApplication',
        params: Params,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      await removeApplication(deps, await reachable(deps, request, request.params.id), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function registerSecretRenewal(app: App, deps: Deps): void {
  app.post(
    `${path}/:id/renew_secret`,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['applications'],
        summary: 'Give an application a new secret; only from the window or a signed-in browser',
        description: 'The old secret ends at once; existing tokens of the application stay valid.',
        operationId: 'renewApplicationSecret',
        params: Params,
        response: { 200: RenewedSecret, 404: Problem, 422: Problem },
      },
    },
    async (request) => {
      await requireConfirmation(deps, request);
      return {
        secret: await renewApplicationSecret(deps, await reachable(deps, request, request.params.id), actorOf(request)),
      };
    },
  );
}

async function reachable(deps: Deps, request: FastifyRequest, id: number): Promise<Application> {
  const principal = principalOf(request);
  const application = await deps.applications.byId(id);
  if (!application || (application.ownerId !== principal.userId && !principal.isAdmin)) throw applicationMissing();
  return application;
}

/**
 * @throws HttpProblem 403 when a user who is not an administrator asks for a trusted application.
 */
function checkedTrust(request: FastifyRequest, trusted: boolean | undefined): boolean | undefined {
  if (trusted === true && !principalOf(request).isAdmin)
    throw new HttpProblem(403, 'Only an administrator may make an application trusted.');
  return trusted;
}
