import { randomBytes } from 'node:crypto';
import type { DeviceAuthorization } from '../../contract/oauth.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { newUserCode } from './device-user-code.ts';
import { oauthError } from '../shared/oauth-error.ts';
import { scopesFor, type Parameters } from '../clients/oauth-parameters.ts';
import { lifetimes, type Application } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<OAuthStores, 'deviceCodes'> & Pick<ServiceContext, 'baseUrl' | 'secrets'>;

const intervalSeconds = 5;
const triesForFreeCode = 5;

/**
 * Starts the device authorization grant (RFC 8628 section 3.1).
 *
 * @throws HttpProblem 400 unauthorized_client, invalid_scope.
 */
export async function authorizeDevice(
  deps: Deps,
  application: Application,
  parameters: Parameters,
): Promise<DeviceAuthorization> {
  if (!application.deviceGrant)
    throw oauthError('unauthorized_client', 'This client is not registered for the device grant.');
  const scopes = scopesFor(parameters, application);
  const deviceCode = randomBytes(32).toString('hex');
  for (let tries = 0; tries < triesForFreeCode; tries += 1) {
    const userCode = newUserCode();
    const made = await deps.deviceCodes.create({
      applicationId: application.id,
      deviceCodeHash: secretDigest(deviceCode),
      userCodeHash: userCodeDigest(deps, userCode),
      scopes,
      expiresAt: Date.now() + lifetimes.deviceCode,
      intervalSeconds,
    });
    if (!made) continue;
    const page = `${deps.baseUrl()}/oauth/device`;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: lifetimes.deviceCode / 1000,
      interval: intervalSeconds,
    };
  }
  throw new Error('no free user code was found');
}

/**
 * The stored form of a user code: a keyed digest, because a plain one of eight characters could be
 * found by brute force.
 */
export function userCodeDigest(deps: Pick<ServiceContext, 'secrets'>, userCode: string): Buffer {
  return deps.secrets.mac('device user code', userCode);
}
