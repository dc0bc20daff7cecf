import { oauthError } from '../shared/oauth-error.ts';
import { required, namedScopes, type Parameters } from '../clients/oauth-parameters.ts';
import type { RefreshRefusal } from '../store/refresh-check.ts';
import type { TokenResponse } from '../shared/token-response.ts';
import type { Application } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

export type RefreshGrantDeps = Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events'>;

const refusals: Readonly<Record<RefreshRefusal, string>> = {
  unknown: 'The refresh token is unknown.',
  foreign: 'The refresh token is unknown.',
  reused: 'The refresh token was used already. All tokens of this grant are revoked.',
  expired: 'The refresh token has expired.',
  ended: 'The refresh token has been revoked.',
  scope: 'The scope goes beyond what was granted.',
};

/**
 * The grant `refresh_token` (RFC 6749 section 6) with rotation (RFC 9700 section 4.14.2). Narrowed
 * scopes stay narrowed.
 *
 * @throws HttpProblem 400 invalid_grant, invalid_scope.
 */
export async function refreshToken(
  deps: RefreshGrantDeps,
  application: Application,
  parameters: Parameters,
  address: string,
): Promise<TokenResponse> {
  const presented = required(parameters, 'refresh_token');
  const scopes = namedScopes(parameters);
  const refreshed = await deps.oauth.refresh({ refreshToken: presented, application, scopes, address });
  if (refreshed.ok) {
    if (refreshed.retired) deps.changes.bump();
    return { token: refreshed.token, createdAt: true, idToken: null };
  }
  if (refreshed.why === 'reused') {
    deps.changes.bump();
    await deps.audit.record({
      userId: refreshed.userId,
      action: 'oauth.refresh-reuse',
      subject: `grant:${refreshed.grantId ?? ''}`,
      detail: 'a refresh token that had been replaced was used again; its family is revoked',
      applicationId: application.id,
      address,
    });
    deps.events.emit('changed', { topic: 'applications' });
  }
  throw oauthError(refreshed.why === 'scope' ? 'invalid_scope' : 'invalid_grant', refusals[refreshed.why]);
}
