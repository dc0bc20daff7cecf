import type { FastifyRequest } from 'fastify';
import type { TokenInfo } from '../../contract/oauth.ts';
import { queryToken } from '../../http/authentication.ts';
import { invalidToken, readCredential } from '../../http/read-credential.ts';
import type { TokenResolver } from '../../auth/token-resolver.ts';
import type { TokenStores } from '../../tokens/stores.ts';

type Deps = TokenStores & { readonly resolver: TokenResolver };

/**
 * Describes the token of the request. A personal access token belongs to no application, and its
 * lifetime is null when it does not expire.
 *
 * @throws HttpProblem 401 invalid_token, 400 invalid_request for two tokens at once.
 */
export async function tokenInfo(deps: Deps, request: FastifyRequest): Promise<TokenInfo> {
  const token = readCredential(request.raw, queryToken(request));
  const known = token === null ? null : await deps.resolver.describe(token, request.ip);
  if (!known) throw invalidToken('The token is missing, unknown, expired or revoked.');
  const { principal, expiresAt, clientId } = known;
  const createdAt = known.createdAt ?? (await deps.tokens.byId(principal.tokenId ?? 0))?.created_at ?? 0;
  const scope = [...principal.scopes];
  // Rounded up, so that a newly issued token shows its full lifetime.
  const remaining = Number.isFinite(expiresAt) ? Math.ceil((expiresAt - Date.now()) / 1000) : null;
  return {
    resource_owner_id: principal.userId,
    scope,
    expires_in: remaining,
    application: { uid: clientId },
    created_at: Math.floor(createdAt / 1000),
    scopes: scope,
    expires_in_seconds: remaining,
  };
}
