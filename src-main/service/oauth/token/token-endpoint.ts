import { deviceGrantType } from '../shared/device-grant-type.ts';
import type { FastifyRequest } from 'fastify';
import type { AttemptLimit } from '../../accounts/attempts/attempt-limit.ts';
import { authenticateClient, type Clients } from '../clients/authenticate-client.ts';
import { pollDevice, type DeviceGrantDeps } from '../device/device-poll.ts';
import { exchangeCode, type CodeGrantDeps } from './exchange-code.ts';
import { invalidClient, oauthError } from '../shared/oauth-error.ts';
import { readParameters, required, type Parameters } from '../clients/oauth-parameters.ts';
import { passwordGrant, type PasswordGrantDeps } from './password-grant.ts';
import { refreshToken, type RefreshGrantDeps } from './refresh-token.ts';
import type { TokenResponse } from '../shared/token-response.ts';
import type { Application } from '../shared/types.ts';

/** Dependencies of all grants, and the lookup of applications. */
export type TokenEndpointDeps = CodeGrantDeps &
  DeviceGrantDeps &
  PasswordGrantDeps &
  RefreshGrantDeps & { readonly clients: Clients };

/**
 * Handles a request to the token endpoint. The client is authenticated before its code, refresh
 * token or password is read, so that a failed authentication uses nothing up: libraries then retry
 * with the other method (Go's golang.org/x/oauth2).
 *
 * @param passwords counts wrong passwords by address and user name.
 * @throws HttpProblem with an OAuth error.
 */
export async function requestToken(
  deps: TokenEndpointDeps,
  passwords: AttemptLimit,
  request: FastifyRequest,
): Promise<TokenResponse> {
  const parameters = readParameters(request);
  const grantType = required(parameters, 'grant_type');
  const grant = grants.get(grantType);
  if (!grant && grantType !== 'password')
    throw oauthError('unsupported_grant_type', 'This server does not know that grant type.');
  const application = await authenticateClient(deps, request.raw, parameters, request.ip);
  if (!grant)
    return passwordGrant(deps, application, parameters, passwords, {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    });
  if (!application) throw invalidClient(false);
  return grant(deps, application, parameters, request.ip);
}

const grants = new Map<
  string,
  (deps: TokenEndpointDeps, application: Application, parameters: Parameters, address: string) => Promise<TokenResponse>
>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshToken],
  [deviceGrantType, pollDevice],
]);
