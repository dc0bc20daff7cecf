import { deviceGrantType } from '../shared/device-grant-type.ts';
import type { FastifyRequest } from 'fastify';
import type { AttemptLimit } from '../../accounts/attempts/attempt-limit.ts';
import type { Services } from '../../services.ts';
import { authenticateClient, type Clients } from '../clients/authenticate-client.ts';
import { pollDevice } from '../device/device-poll.ts';
import { exchangeCode } from './exchange-code.ts';
import { invalidClient, oauthError } from '../shared/oauth-error.ts';
import { readParameters, required, type Parameters } from '../clients/oauth-parameters.ts';
import { passwordGrant } from './password-grant.ts';
import { refreshToken } from './refresh-token.ts';
import type { TokenAnswer } from '../shared/token-answer.ts';
import type { Application } from '../shared/types.ts';

type Deps = Services & { readonly baseUrl: () => string; readonly clients: Clients };

/**
 * A request to the token endpoint. The client is known before its code, refresh token or password is looked at, so that a failed
 * authentication uses nothing up: libraries try the other way of authenticating after one (Go's golang.org/x/oauth2).
 *
 * @param passwords counts wrong passwords by address and user name.
 * @throws HttpProblem with an OAuth error.
 */
export async function requestToken(deps: Deps, passwords: AttemptLimit, request: FastifyRequest): Promise<TokenAnswer> {
  const parameters = readParameters(request);
  const grantType = required(parameters, 'grant_type');
  const grant = grants.get(grantType);
  if (!grant && grantType !== 'password') throw oauthError('unsupported_grant_type', 'This server does not know that grant type.');
  const application = await authenticateClient(deps, request.raw, parameters, request.ip);
  if (!grant) return passwordGrant(deps, application, parameters, passwords, request.ip);
  if (!application) throw invalidClient(false);
  return grant(deps, application, parameters, request.ip);
}

const grants = new Map<string, (deps: Deps, application: Application, parameters: Parameters, address: string) => Promise<TokenAnswer>>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshToken],
  [deviceGrantType, pollDevice],
]);
