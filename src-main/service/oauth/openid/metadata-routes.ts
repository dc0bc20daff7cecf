import { Type } from 'typebox';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { TokenInfo, UserInfo } from '../../contract/oauth.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import type { TokenResolver } from '../../auth/token-resolver.ts';
import { openidConfiguration, serverMetadata } from './metadata.ts';
import { tokenInfo } from './token-info.ts';
import { userInfo } from './userinfo.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> &
  TokenStores &
  Pick<ProjectStores, 'projects'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'settings'> & {
    readonly signingKey: () => Promise<SigningKey>;
    readonly resolver: TokenResolver;
  };

const Document = Type.Record(Type.String(), Type.Unknown());
const everybody = [{}];
const formLimit = 16 * 1024;

/** Routes that describe tokens, users and this server to programs. */
export function registerMetadataRoutes(app: App, deps: Deps): void {
  app.get(
    '/oauth/token/info',
    {
      config: { errors: 'gitlab', queryToken: true },
      schema: {
        tags: ['oauth'],
        summary: 'Details of the token of the request',
        operationId: 'getTokenInfo',
        response: { 200: TokenInfo, 400: GitlabError, 401: GitlabError },
        security: [{ bearer: [] }, { queryToken: [] }],
      },
    },
    async (request, reply) => {
      // RFC 6750 section 2.3: a response to an address that contains a token must not be cached.
      reply.header('cache-control', 'private, no-store');
      return tokenInfo(deps, request);
    },
  );

  for (const [method, operationId] of [
    [['GET', 'HEAD'], 'getUserInfo'],
    [['POST'], 'postUserInfo'],
  ] as const) {
    const byForm = operationId === 'postUserInfo';
    const authenticate = deps.auth.require('openid');
    app.route({
      method: [...method],
      url: '/oauth/userinfo',
      // A token in a form is known only after the body was read.
      ...(byForm ? { preValidation: authenticate, bodyLimit: formLimit } : { onRequest: authenticate }),
      config: { errors: 'gitlab', reads: true, formToken: byForm },
      schema: {
        tags: ['oauth'],
        summary: 'The user of the token (OpenID Connect)',
        operationId,
        response: { 200: UserInfo, 400: GitlabError, 401: GitlabError, 403: GitlabError },
        security: [{ bearer: [] }, { privateToken: [] }],
      },
      handler: async (request) => userInfo(deps, principalOf(request)),
    });
  }
  registerServerMetadata(app, deps);
}

function registerServerMetadata(app: App, deps: Deps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/oauth/discovery/keys',
    schema: {
      tags: ['oauth'],
      summary: 'The keys that sign id_tokens (RFC 7517)',
      operationId: 'getSigningKeys',
      response: { 200: Document },
      security: everybody,
    },
    handler: async () => ({ keys: [(await deps.signingKey()).publicJwk] }),
  });
  for (const [url, operationId, summary, document] of [
    ['/.well-known/oauth-authorization-server', 'getServerMetadata', 'Server metadata (RFC 8414)', serverMetadata],
    [
      '/.well-known/openid-configuration',
      'getOpenidConfiguration',
      'Server metadata (OpenID Connect Discovery)',
      openidConfiguration,
    ],
  ] as const) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      schema: { tags: ['oauth'], summary, operationId, response: { 200: Document }, security: everybody },
      handler: async (_request, reply) => {
        reply.header('cache-control', 'no-store');
        return document(deps);
      },
    });
  }
}
