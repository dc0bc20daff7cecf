import {
  DeviceAuthorization,
  OAuthFailure,
  OAuthToken,
  TokenIntrospection,
  TokenQuestion,
  TokenRequest,
} from '../../contract/oauth.ts';
import { Type } from 'typebox';
import { AttemptLimit } from '../../accounts/attempts/attempt-limit.ts';
import type { App } from '../../http/app.ts';
import { networkFactor, networkOf } from '../../http/network-of.ts';
import { secondsToWait } from '../../http/require-limit.ts';
import type { TokenResolver } from '../../auth/token-resolver.ts';
import { authenticateClient } from '../clients/authenticate-client.ts';
import { shareOfLimit } from '../../database/cluster/share-of-limit.ts';
import { countGuesses, guessLimits, type GuessLimits } from './count-guesses.ts';
import { authorizeDevice } from '../device/device-authorize.ts';
import { introspectToken } from './introspect-token.ts';
import { knownClients } from '../clients/known-clients.ts';
import { invalidClient, sendOAuthFailure, tooManyOAuthAttempts } from '../shared/oauth-error.ts';
import { readParameters } from '../clients/oauth-parameters.ts';
import { revokePresentedToken } from './revoke-presented.ts';
import { sendToken } from '../shared/token-response.ts';
import { requestToken } from './token-endpoint.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'signInFailures' | 'knownPlaces' | 'secondFactors' | 'signInPlaces'> &
  OAuthStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'changes' | 'cluster' | 'events' | 'passwords' | 'secrets' | 'settings'> & {
    readonly signingKey: () => Promise<SigningKey>;
    readonly resolver: TokenResolver;
  };

type EndpointDeps = Deps & { readonly clients: ReturnType<typeof knownClients> };

const windowMs = 5 * 60_000;
// Limits within one window: failed authentications for each address (a laboratory may share one),
// wrong passwords for each account and address, and device authorizations for each address.
const maxFailures = 100;
const maxWrongPasswords = 20;
const maxDevices = 100;

const consumes = ['application/x-www-form-urlencoded', 'application/json'];
const failures = { 400: OAuthFailure, 401: OAuthFailure, 413: OAuthFailure, 415: OAuthFailure, 429: OAuthFailure };
const clientOrNone = [{ client: [] }, {}];

// The schema only documents the body. `readParameters` validates it, because errors must be OAuth
// errors.
const own = {
  errorHandler: sendOAuthFailure,
  validatorCompiler: () => (value: unknown) => ({ value }),
  config: { errors: 'gitlab' },
} as const;

/** The endpoints that programs call: token, revocation, introspection and device authorization. */
export function registerTokenEndpoints(app: App, services: Deps): void {
  const deps = { ...services, clients: knownClients(services.applications, services.changes) };
  const guesses = guessLimits(maxFailures, windowMs, services.cluster);
  const passwords = new AttemptLimit(maxWrongPasswords, windowMs, services.cluster);

  app.post(
    '/oauth/token',
    {
      ...own,
      config: { ...own.config, unconfirmed: true },
      schema: {
        tags: ['oauth'],
        summary: 'Get a token (RFC 6749 section 3.2)',
        operationId: 'requestToken',
        consumes,
        body: TokenRequest,
        response: { 200: OAuthToken, ...failures },
        security: clientOrNone,
      },
    },
    async (request, reply) =>
      sendToken(reply, await countGuesses(guesses, request, () => requestToken(deps, passwords, request))),
  );
  registerTokenChecks(app, deps, guesses);
  registerDeviceAuthorization(app, deps, guesses);
}

function registerTokenChecks(app: App, deps: EndpointDeps, guesses: GuessLimits): void {
  app.post(
    '/oauth/revoke',
    {
      ...own,
      schema: {
        tags: ['oauth'],
        summary: 'Revoke a token and what belongs to it (RFC 7009)',
        operationId: 'revokeOAuthToken',
        consumes,
        body: TokenQuestion,
        response: { 200: Type.Object({}), 403: OAuthFailure, ...failures },
        security: clientOrNone,
      },
    },
    async (request) => {
      await countGuesses(guesses, request, () => revokePresentedToken(deps, request));
      return {};
    },
  );

  app.post(
    '/oauth/introspect',
    {
      ...own,
      config: { ...own.config, reads: true },
      schema: {
        tags: ['oauth'],
        summary: 'Introspect a token of the calling application (RFC 7662)',
        operationId: 'introspectToken',
        consumes,
        body: TokenQuestion,
        response: { 200: TokenIntrospection, ...failures },
        security: [{ client: [] }, { bearer: [] }],
      },
    },
    async (request) => countGuesses(guesses, request, () => introspectToken(deps, request)),
  );
}

function registerDeviceAuthorization(app: App, deps: EndpointDeps, guesses: GuessLimits): void {
  const devices = app.createRateLimit({
    max: () => shareOfLimit(maxDevices, deps.cluster),
    timeWindow: windowMs,
    keyGenerator: (request) => `device ${request.ip}`,
  });
  const devicesOfNetwork = app.createRateLimit({
    max: () => shareOfLimit(maxDevices * networkFactor, deps.cluster),
    timeWindow: windowMs,
    keyGenerator: (request) => `devices ${networkOf(request.ip)}`,
  });

  app.post(
    '/oauth/authorize_device',
    {
      ...own,
      schema: {
        tags: ['oauth'],
        summary: 'Begin the sign-in of a device without a browser (RFC 8628)',
        operationId: 'authorizeDevice',
        consumes,
        body: Type.Object({
          client_id: Type.String(),
          client_secret: Type.Optional(Type.String()),
          scope: Type.Optional(Type.String()),
        }),
        response: { 200: DeviceAuthorization, ...failures },
        security: clientOrNone,
      },
    },
    async (request) => {
      const wait = await secondsToWait(request, [devices, devicesOfNetwork]);
      if (wait > 0) throw tooManyOAuthAttempts(wait);
      return countGuesses(guesses, request, async () => {
        const parameters = readParameters(request);
        const application = await authenticateClient(deps, request.raw, parameters, request.ip);
        if (!application) throw invalidClient(false);
        return authorizeDevice(deps, application, parameters);
      });
    },
  );
}
