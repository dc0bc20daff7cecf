import type { AuthorizeRequest } from './authorize-request.ts';
import type { OAuthStores } from '../store/stores.ts';

/** Whether to ask, and why not. */
export type ConsentNeed = { readonly ask: true } | { readonly ask: false; readonly why: string };

/**
 * Whether the user must be asked. Not for a trusted application, nor when the same scopes were approved before and that still holds; but always
 * for one that cannot prove who it is, because anybody may have started the request in its name (RFC 8252 section 8.6, RFC 9700 section 4.15),
 * and for the implicit grant, which has no client authentication either.
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
