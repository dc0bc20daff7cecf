import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { relyingParty, type RelyingParty } from './webauthn.ts';

/** For whom the caller can register a security key, or why not: it depends on the base URL and on where the page was opened. */
export function relyingPartyHere(request: FastifyRequest, baseUrl: string): RelyingParty | string {
  const party = relyingParty(baseUrl);
  if (typeof party === 'string' || principalOf(request).kind !== 'window') return relyingPartyAt(request.host, baseUrl);
  return `Security keys work in browsers. Open ${baseUrl}/ui/account in one and sign in there.`;
}

/** The same for whoever is not signed in yet. @param host of the request, with its port. */
export function relyingPartyAt(host: string, baseUrl: string): RelyingParty | string {
  const party = relyingParty(baseUrl);
  // Under HTTPS the cookies work at the base URL only; the Host header may be a proxy's there.
  if (typeof party === 'string' || baseUrl.startsWith('https:') || host === new URL(baseUrl).host) return party;
  return `Security keys belong to the host name that they were registered at. Open ${baseUrl} to use them.`;
}
