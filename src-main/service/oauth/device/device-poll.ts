import { secretDigest } from '../../secrets/secret-digest.ts';
import type { PollRefusal } from '../store/device-check.ts';
import { idToken } from '../openid/id-token.ts';
import { oauthError } from '../shared/oauth-error.ts';
import { required, type Parameters as Sent } from '../clients/oauth-parameters.ts';
import type { TokenResponse } from '../shared/token-response.ts';
import type { Application } from '../shared/types.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

export type DeviceGrantDeps = Pick<AccountStores, 'users'> &
  Pick<OAuthStores, 'deviceCodes'> &
  Pick<ServiceContext, 'baseUrl' | 'events'> & {
    readonly signingKey: () => Promise<SigningKey>;
  };

const refusals: Readonly<Record<PollRefusal, readonly [Parameters<typeof oauthError>[0], string]>> = {
  unknown: ['invalid_grant', 'The device code is unknown, or was used already.'],
  expired: ['expired_token', 'The device code has expired. Ask for a new one.'],
  denied: ['access_denied', 'The user has denied access.'],
  pending: ['authorization_pending', 'The user has not decided yet.'],
  'slow-down': ['slow_down', 'Leave five more seconds between requests.'],
};

/**
 * The device grant (RFC 8628 section 3.4).
 *
 * @throws HttpProblem 400 authorization_pending, slow_down, expired_token, access_denied,
 * invalid_grant, unauthorized_client.
 */
export async function pollDevice(
  deps: DeviceGrantDeps,
  application: Application,
  parameters: Sent,
  address: string,
): Promise<TokenResponse> {
  if (!application.deviceGrant)
    throw oauthError('unauthorized_client', 'This client is not registered for the device grant.');
  const polled = await deps.deviceCodes.poll(secretDigest(required(parameters, 'device_code')), application, address);
  if (!polled.ok) throw oauthError(...refusals[polled.why]);
  deps.events.emit('changed', { topic: 'applications' });
  const { token, userId, signedInAt } = polled;
  return {
    token,
    createdAt: true,
    idToken: await idToken(deps, { clientId: application.clientId, userId, nonce: null, signedInAt, token }),
  };
}
