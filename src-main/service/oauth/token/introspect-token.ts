import type { FastifyRequest } from 'fastify';
import type { TokenIntrospection } from '../../contract/oauth.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import type { TokenResolver } from '../../auth/token-resolver.ts';
import { authenticateClient, type Clients } from '../clients/authenticate-client.ts';
import { invalidClient, oauthError } from '../shared/oauth-error.ts';
import { readParameters, required, type Parameters } from '../clients/oauth-parameters.ts';
import { lifetimes } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

type Deps = Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> & { readonly resolver: TokenResolver; readonly clients: Clients };

/**
 * Token introspection (RFC 7662) for the authenticated application. Unknown and ended tokens and
 * those of other applications are all reported as `active: false`.
 *
 * @throws HttpProblem 400 invalid_request without authentication, 401 invalid_client or
 * invalid_token when it fails.
 */
export async function introspectToken(deps: Deps, request: FastifyRequest): Promise<TokenIntrospection> {
  const parameters = readParameters(request);
  const applicationId = await askingApplication(deps, request, parameters);
  const token = required(parameters, 'token');
  const access = await deps.resolver.inspect(token);
  if (access) {
    const { principal, clientId, createdAt, expiresAt } = access;
    if (principal.oauth?.applicationId !== applicationId) return { active: false };
    return {
      active: true,
      scope: [...principal.scopes].join(' '),
      client_id: clientId ?? '',
      username: principal.username,
      token_type: 'bearer',
      exp: Math.floor(expiresAt / 1000),
      iat: Math.floor((createdAt ?? 0) / 1000),
      sub: String(principal.userId),
    };
  }
  const now = Date.now();
  const refresh = await deps.oauth.byRefreshToken(secretDigest(token), now);
  if (!refresh || refresh.application_id !== applicationId || refresh.refresh_expires_at === null)
    return { active: false };
  if (refresh.refreshed_at !== null && now >= refresh.refreshed_at + lifetimes.refreshGrace) return { active: false };
  return {
    active: true,
    scope: refresh.scopes,
    client_id: refresh.client_id ?? '',
    username: refresh.username,
    exp: Math.floor(refresh.refresh_expires_at / 1000),
    iat: Math.floor(refresh.created_at / 1000),
    sub: String(refresh.user_id),
  };
}

async function askingApplication(deps: Deps, request: FastifyRequest, parameters: Parameters): Promise<number> {
  const bearer = /^bearer +([0-9a-f]{64})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) {
    const principal = await deps.resolver.resolve(bearer, request.ip);
    const applicationId = principal?.oauth?.applicationId ?? null;
    if (applicationId !== null) return applicationId;
    throw oauthError('invalid_client', 'The access token is not valid, or belongs to no application.', 401, {
      'www-authenticate': 'Bearer realm="Benchport", error="invalid_token"',
    });
  }
  const application = await authenticateClient(deps, request.raw, parameters, request.ip);
  if (!application) throw oauthError('invalid_request', 'Authenticate the client: with HTTP Basic, or in the body.');
  // The id of a public application is not secret, so it authenticates nothing.
  if (!application.confidential) throw invalidClient(false);
  return application.id;
}
