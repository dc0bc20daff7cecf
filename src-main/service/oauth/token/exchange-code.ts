import type { CodeRefusal } from '../store/exchange-check.ts';
import { idToken } from '../openid/id-token.ts';
import { oauthError } from '../shared/oauth-error.ts';
import { required, type Parameters } from '../clients/oauth-parameters.ts';
import type { TokenResponse } from '../shared/token-response.ts';
import type { Application } from '../shared/types.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

export type CodeGrantDeps = Pick<AccountStores, 'users'> &
  Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'changes' | 'events'> & {
    readonly signingKey: () => Promise<SigningKey>;
  };

const refusals: Readonly<Record<CodeRefusal, string>> = {
  unknown: 'The code is unknown.',
  foreign: 'The code is unknown.',
  replayed: 'The code was used already. The tokens issued for it are revoked.',
  expired: 'The code has expired.',
  ended: 'The code has been revoked.',
  'redirect-uri': 'The redirect_uri is not the one of the authorization request.',
  'no-verifier': 'The parameter code_verifier is missing.',
  verifier: 'The code_verifier does not match the authorization request.',
};

/**
 * The grant `authorization_code` (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
 *
 * @throws HttpProblem 400 invalid_grant, invalid_request.
 */
export async function exchangeCode(
  deps: CodeGrantDeps,
  application: Application,
  parameters: Parameters,
  address: string,
): Promise<TokenResponse> {
  const code = required(parameters, 'code');
  const redirectUri = required(parameters, 'redirect_uri');
  const verifier = parameters.get('code_verifier') ?? null;
  const exchanged = await deps.oauth.exchangeCode({ code, application, redirectUri, verifier, address });
  if (exchanged.ok) {
    deps.events.emit('changed', { topic: 'applications' });
    const { token, userId, nonce, signedInAt } = exchanged;
    return {
      token,
      createdAt: true,
      idToken: await idToken(deps, { clientId: application.clientId, userId, nonce, signedInAt, token }),
    };
  }
  if (exchanged.why === 'replayed') {
    deps.changes.bump();
    await deps.audit.record({
      userId: exchanged.userId,
      action: 'oauth.code-replay',
      subject: `grant:${exchanged.grantId ?? ''}`,
      detail: 'a code was used twice; what it gave is revoked',
      applicationId: application.id,
      address,
    });
    deps.events.emit('changed', { topic: 'applications' });
  }
  throw oauthError(exchanged.why === 'no-verifier' ? 'invalid_request' : 'invalid_grant', refusals[exchanged.why]);
}
