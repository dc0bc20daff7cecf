import type { AttemptLimit } from '../../accounts/attempts/attempt-limit.ts';
import { checkPassword } from '../../accounts/passwords/check-password.ts';
import { noticeSignIn } from '../../accounts/sessions/notice-sign-in.ts';
import { networkPlace } from '../../accounts/store/sign-in-place.ts';
import { idToken } from '../openid/id-token.ts';
import { oauthError, tooManyOAuthAttempts } from '../shared/oauth-error.ts';
import { namedScopes, required, scopesFor, type Parameters } from '../clients/oauth-parameters.ts';
import { allowsPasswordGrant } from '../applications/sign-in-settings.ts';
import type { TokenResponse } from '../shared/token-response.ts';
import type { Application } from '../shared/types.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

export type PasswordGrantDeps = Pick<
  AccountStores,
  'users' | 'signInFailures' | 'knownPlaces' | 'secondFactors' | 'signInPlaces'
> &
  Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'events' | 'passwords' | 'settings'> & {
    readonly signingKey: () => Promise<SigningKey>;
  };

// One message for all reasons, so that the response does not reveal which one applies.
const refused =
  'The user name and password do not match an account that may sign in this way. Accounts with a second factor use personal access tokens instead.';
const maxUsernameLength = 255;
const maxPasswordLength = 128;

/**
 * The grant `password` (RFC 6749 section 4.3); without a registered application there is no refresh
 * token.
 *
 * @throws HttpProblem 400 unsupported_grant_type when it is switched off, invalid_grant,
 * invalid_scope; 429.
 */
export async function passwordGrant(
  deps: PasswordGrantDeps,
  application: Application | null,
  parameters: Parameters,
  limit: AttemptLimit,
  { address, userAgent }: { readonly address: string; readonly userAgent: string | null },
): Promise<TokenResponse> {
  if (!(await allowsPasswordGrant(deps)))
    throw oauthError('unsupported_grant_type', 'The password grant is switched off on this server.');
  const username = required(parameters, 'username');
  const password = required(parameters, 'password');
  const scopes = application === null ? (namedScopes(parameters) ?? ['api']) : scopesFor(parameters, application);
  const key = `${address} ${username.toLowerCase().slice(0, maxUsernameLength)}`;
  const attempt = await limit.begin(key);
  if (typeof attempt === 'number') throw tooManyOAuthAttempts(attempt);
  let failed = false;
  try {
    const userId = await userOf(deps, username, password, address);
    failed = userId === null;
    const response = await issue(deps, application, userId, scopes, address);
    if (userId !== null) await noticeSignIn(deps, userId, address, userAgent);
    return response;
  } finally {
    attempt.end(failed);
  }
}

async function issue(
  deps: PasswordGrantDeps,
  application: Application | null,
  userId: number | null,
  scopes: readonly string[],
  address: string,
): Promise<TokenResponse> {
  const issued =
    userId === null
      ? null
      : await deps.oauth.issueDirectly({
          kind: 'password',
          application,
          userId,
          scopes,
          refreshable: application !== null,
          address,
        });
  if (!issued) throw oauthError('invalid_grant', refused);
  await deps.knownPlaces.remember(issued.userId, [networkPlace(address)], Date.now());
  deps.events.emit('changed', { topic: 'applications' });
  const { token } = issued;
  if (application === null) return { token, createdAt: false, idToken: null };
  const signedInAt = Date.now();
  return {
    token,
    createdAt: true,
    idToken: await idToken(deps, {
      clientId: application.clientId,
      userId: issued.userId,
      nonce: null,
      signedInAt,
      token,
    }),
  };
}

async function userOf(
  deps: PasswordGrantDeps,
  username: string,
  password: string,
  address: string,
): Promise<number | null> {
  // Impossible input still runs a password check, so that response times do not differ.
  const possible = username.length <= maxUsernameLength && password.length <= maxPasswordLength;
  const checked = await checkPassword(deps, possible ? username : '', possible ? password : 'x', {
    address,
    browser: null,
  });
  if (!checked.ok) return null;
  if (!(await deps.secondFactors.enabled(checked.user.id))) return checked.user.id;
  await deps.audit.record({
    userId: null,
    action: 'oauth.failed',
    subject: `user:${checked.user.id}`,
    detail: 'password grant with a second factor',
    address,
  });
  return null;
}
