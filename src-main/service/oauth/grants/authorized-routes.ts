import { Type } from 'typebox';
import { AuthorizedApplication } from '../../contract/applications.ts';
import { Problem } from '../../contract/common.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { isoTime } from '../../common/iso-time.ts';
import { revokeAuthorization } from './authorized-revoke.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events'>;

const Params = Type.Object({
  applicationId: Type.String({
    pattern: '^(none|[1-9][0-9]{0,14})$',
    description: 'Number of the application; "none": the password grant without one',
  }),
});

/** Routes to list and revoke the access that the caller has granted to applications. */
export function registerAuthorizedRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/user/authorized_applications',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['applications'],
        summary: "Applications that have access to the caller's account",
        operationId: 'listAuthorizedApplications',
        response: { 200: Type.Array(AuthorizedApplication) },
      },
    },
    async (request) =>
      (await deps.oauth.authorizationsOf(principalOf(request).userId)).map(
        ({ applicationId: id, name, confidential, owner, scopes, authorizedAt, lastUsedAt }) => ({
          application: id === null || name === null || owner === null ? null : { id, name, confidential, owner },
          scopes: [...scopes],
          authorized_at: isoTime(authorizedAt),
          last_used_at: isoTime(lastUsedAt),
        }),
      ),
  );

  const remove = {
    onRequest: deps.auth.require('api'),
    schema: {
      tags: ['applications'],
      summary: 'End the access of an application: all its tokens and the remembered approval',
      params: Params,
      response: { 204: Type.Null(), 404: Problem },
    },
  };
  // The second path is GitLab's.
  for (const [url, operationId] of [
    ['/api/v4/user/authorized_applications/:applicationId', 'revokeAuthorizedApplication'],
    ['/oauth/authorized_applications/:applicationId', 'revokeAuthorizedApplicationAsGitlab'],
  ] as const) {
    app.delete(url, { ...remove, schema: { ...remove.schema, operationId } }, async (request, reply) => {
      const id = request.params.applicationId;
      if (
        !(await revokeAuthorization(
          deps,
          principalOf(request).userId,
          id === 'none' ? null : Number(id),
          actorOf(request),
        ))
      ) {
        throw new HttpProblem(404, 'This application has no access to your account.');
      }
      return reply.code(204).send(null);
    });
  }
}
