import type { NewAuditEvent } from '../../audit/audit-store.ts';
import { AuthorizeFault } from '../consent/authorize-fault.ts';
import type { Login } from '../consent/authorize-login.ts';
import type { ResponseParameters } from '../consent/authorize-redirect.ts';
import type { ConsentRequest } from '../consent/consent-request.ts';
import { isRegisteredRedirect } from '../consent/redirect-uri.ts';
import type { IssuedToken } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<OAuthStores, 'applications' | 'oauth'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'events'>;

/**
 * Grants the application the requested access.
 *
 * @param how for the audit trail: approved by the user, or the reason why consent was not needed.
 * @returns the parameters of the response.
 * @throws AuthorizeFault when the application was changed and may no longer request this.
 */
export async function approve(
  services: Deps,
  wanted: ConsentRequest,
  login: Login,
  address: string,
  how: string,
): Promise<ResponseParameters> {
  const { back, scopes } = wanted;
  // The application may have been changed or removed while the consent page was open.
  const application = await services.applications.byId(wanted.application.id);
  if (
    !application ||
    !isRegisteredRedirect(application.redirectUris, back.redirectUri) ||
    !scopes.every((scope) => application.scopes.includes(scope))
  ) {
    throw new AuthorizeFault(
      'invalid_request',
      'The application was changed in the meantime. Go back to it and start again.',
      null,
    );
  }
  const approval = {
    application,
    userId: login.userId,
    scopes,
    redirectUri: back.redirectUri,
    codeChallenge: wanted.codeChallenge,
    nonce: wanted.nonce,
    signedInAt: login.signedInAt,
  };
  await services.audit.record({
    ...event(wanted, login, address),
    action: 'oauth.approve',
    detail: `${how}, ${wanted.responseType}, ${scopes.join(' ')}`,
  });
  const response =
    wanted.responseType === 'code'
      ? { code: await services.oauth.issueCode(approval) }
      : implicitResponse(await services.oauth.issueImplicit(approval));
  services.events.emit('changed', { topic: 'applications' });
  return response;
}

/** Denies the requested access. @returns the parameters of the response. */
export async function deny(
  services: Deps,
  wanted: ConsentRequest,
  login: Login,
  address: string,
): Promise<ResponseParameters> {
  await services.audit.record({
    ...event(wanted, login, address),
    action: 'oauth.deny',
    detail: wanted.scopes.join(' '),
  });
  return { error: 'access_denied', error_description: 'The user denied the request.' };
}

// RFC 6749 section 4.2.2. Scopes are always included, because the request may have named none.
function implicitResponse(token: IssuedToken): ResponseParameters {
  return {
    access_token: token.accessToken,
    token_type: 'bearer',
    expires_in: String(token.expiresIn),
    scope: token.scopes.join(' '),
  };
}

function event(wanted: ConsentRequest, login: Login, address: string): Omit<NewAuditEvent, 'action'> {
  const { id } = wanted.application;
  return { userId: login.userId, subject: `application:${id}`, applicationId: id, address };
}
