import { Type } from 'typebox';
import type { Scope } from '../../contract/scopes.ts';
import { HttpProblem } from '../../common/problem.ts';
import { hasScope, insufficientScope, type Principal } from '../../http/principal.ts';
import { credentialNeeded } from '../../http/read-credential.ts';
import type { TokenRow } from '../token-rows.ts';
import type { TokenStores } from '../stores.ts';

type Deps = TokenStores;

export const TokenParams = Type.Object({
  id: Type.String({
    pattern: '^(self|[1-9][0-9]{0,14})$',
    description: 'Number of the token, or "self": the token of this request',
  }),
});

/**
 * The token that a request names by number, or by "self".
 *
 * @param anyOf scopes required for a token other than the one in use, which any scope of the route
 * may access.
 * @throws HttpProblem as GitLab answers: 401 for a foreign and for a missing token alike, 404 for a
 * missing one to an administrator.
 */
export async function reachableToken(
  services: Deps,
  id: string,
  principal: Principal,
  anyOf: readonly Scope[],
): Promise<TokenRow> {
  if (id === 'self') return selfToken(services, principal);
  const number = Number(id);
  if (number !== principal.tokenId && !hasScope(principal, anyOf)) throw insufficientScope(anyOf);
  const row = await services.tokens.byId(number);
  if (row && (row.user_id === principal.userId || principal.isAdmin)) return row;
  throw principal.isAdmin ? new HttpProblem(404, 'There is no such token.') : credentialNeeded();
}

/**
 * The personal access token of the request itself.
 *
 * @throws HttpProblem 405 for an OAuth token, 400 for a request without a token.
 */
export async function selfToken(services: Deps, principal: Principal): Promise<TokenRow> {
  // A 405 lists the allowed methods (RFC 9110 section 15.5.6): here none.
  if (principal.kind === 'oauth') throw new HttpProblem(405, '405 Method Not Allowed', { headers: { allow: '' } });
  const row = principal.tokenId === null ? null : await services.tokens.byId(principal.tokenId);
  if (!row) throw new HttpProblem(400, 'This request carries no personal access token, so there is no "self".');
  return row;
}
