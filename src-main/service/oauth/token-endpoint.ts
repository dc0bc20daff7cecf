import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import { authenticateClient, type Clients } from './authenticate-client.ts';
import { pollDevice } from './device-poll.ts';
import { exchangeCode } from './exchange-code.ts';
import type { FailureLimit } from './failure-limit.ts';
import { invalidClient, oauthError, tooManyAttempts } from './oauth-error.ts';
import { readParameters, required, type Parameters } from './oauth-parameters.ts';
import { passwordGrant } from './password-grant.ts';
import { refreshToken } from './refresh-token.ts';
import type { TokenAnswer } from './token-answer.ts';
import type { Application } from './types.ts';

type Deps = Services & { readonly baseUrl: () => string; readonly clients: Clients };

export interface TokenLimits {
  /** Failures by address. */
  readonly failures: FailureLimit;
  /** Wrong passwords by address and user name. */
  readonly passwords: FailureLimit;
}

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

// Part of how these grants work, not attempts at guessing.
const expected = new Set(['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'temporarily_unavailable']);

/**
 * A request to the token endpoint. The client is known before its code, refresh token or password is looked at, so that a failed
 * authentication uses nothing up: libraries try the other way of authenticating after one (Go's golang.org/x/oauth2).
 *
 * @throws HttpProblem with an OAuth error.
 */
export async function requestToken(deps: Deps, limits: TokenLimits, request: FastifyRequest): Promise<TokenAnswer> {
  const wait = limits.failures.secondsToWait(request.ip);
  if (wait > 0) throw tooManyAttempts(wait);
  try {
    const parameters = readParameters(request);
    const grantType = required(parameters, 'grant_type');
    const grant = grants.get(grantType);
    if (!grant && grantType !== 'password') throw oauthError('unsupported_grant_type', 'This server does not know that grant type.');
    const application = await authenticateClient(deps, request.raw, parameters, request.ip);
    if (!grant) return await passwordGrant(deps, application, parameters, limits.passwords, request.ip);
    if (!application) throw invalidClient(false);
    return await grant(deps, application, parameters, request.ip);
  } catch (error) {
    if (error instanceof HttpProblem && error.error !== undefined && !expected.has(error.error)) limits.failures.note(request.ip);
    throw error;
  }
}

const grants = new Map<string, (deps: Deps, application: Application, parameters: Parameters, address: string) => Promise<TokenAnswer>>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshToken],
  [deviceGrantType, pollDevice],
]);
