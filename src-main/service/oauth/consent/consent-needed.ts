import type { AuthorizeRequest } from './authorize-request.ts';
import type { OAuthStores } from '../store/stores.ts';

/** Whether consent is needed, or the reason why it is not. */
export type ConsentNeed = { readonly ask: true } | { readonly ask: false; readonly why: string };

/**
 * Whether to show the consent page. Trusted applications and scopes that were approved before need
 * none. Users of public clients are always asked, because any program may have started the request
 * in their name (RFC 8252 section 8.6, RFC 9700 section 4.15), and so are those of the implicit
 * grant, which has no client authentication.
 */
export async function consentNeeded(
  services: Pick<OAuthStores, 'oauth'>,
  wanted: AuthorizeRequest,
  userId: number,
): Promise<ConsentNeed> {
  const { application, scopes } = wanted;
  if (wanted.prompt.has('consent') || !application.confidential || wanted.responseType !== 'code') return { ask: true };
  if (application.trusted) return { ask: false, why: 'trusted' };
  const approved = await services.oauth.approvedScopes(application.id, userId);
  const known = approved.some((set) => set.length === scopes.length && set.every((scope) => scopes.includes(scope)));
  return known ? { ask: false, why: 'approved before' } : { ask: true };
}
