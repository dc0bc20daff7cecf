import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { relyingParty, type RelyingParty } from './webauthn.ts';

/**
 * The relying party for which the caller can register a security key, or the reason why there is
 * none: it depends on the base URL and on the address at which the page was opened.
 */
export function relyingPartyHere(request: FastifyRequest, baseUrl: string): RelyingParty | string {
  const party = relyingParty(baseUrl);
  if (typeof party === 'string' || principalOf(request).kind !== 'window') return relyingPartyAt(request.host, baseUrl);
  return `Security keys work in browsers. Open ${baseUrl}/ui/account in one and sign in there.`;
}

/**
 * The relying party for a visitor who is not signed in. @param host of the request, with its port.
 */
export function relyingPartyAt(host: string, baseUrl: string): RelyingParty | string {
  const party = relyingParty(baseUrl);
  // Under HTTPS cookies work at the base URL only, and `Host` may be that of a proxy.
  if (typeof party === 'string' || baseUrl.startsWith('https:') || host === new URL(baseUrl).host) return party;
  return `Security keys belong to the host name that they were registered at. Open ${baseUrl} to use them.`;
}
