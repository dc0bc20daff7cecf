import type { FastifyRequest } from 'fastify';
import { principalOf } from '../http/authentication.ts';
import { relyingParty, type RelyingParty } from './webauthn.ts';

/** For whom the caller can register a security key, or why not: it depends on the base URL and on where the page was opened. */
export function relyingPartyHere(request: FastifyRequest, baseUrl: string): RelyingParty | string {
  const party = relyingParty(baseUrl);
  if (typeof party === 'string') return party;
  if (principalOf(request).kind === 'window') return `Security keys work in browsers. Open ${baseUrl}/ui/account in one and sign in there.`;
  if (request.host !== new URL(baseUrl).host) return `Security keys belong to the host name that they were registered at. Open ${baseUrl}/ui/account for that.`;
  return party;
}
