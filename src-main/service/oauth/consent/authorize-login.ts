import type { FastifyRequest } from 'fastify';
import { readSessionCookie } from '../../http/session-cookie.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';

/** The signed-in user of the browser that sent an authorization request. */
export interface Login {
  readonly cookie: string;
  readonly userId: number;
  readonly username: string;
  /** Time of the last authentication or confirmation, in milliseconds since 1970. */
  readonly signedInAt: number;
}

/**
 * The login of a request; null when no user is signed in. Tokens are ignored, because only people
 * may approve access.
 */
export async function loginOf(
  services: Pick<AccountStores, 'sessions'>,
  request: FastifyRequest,
  baseUrl: string,
): Promise<Login | null> {
  const cookie = readSessionCookie(request, baseUrl);
  if (cookie === undefined) return null;
  const [principal, session] = [await services.sessions.resolve(cookie), await services.sessions.row(cookie)];
  if (!principal || !session) return null;
  const signedInAt = Math.max(session.created_at, session.confirmed_at);
  return { cookie, userId: principal.userId, username: principal.username, signedInAt };
}

/**
 * Whether the user must sign in first: because there is no session, or because the client requires
 * a fresh sign-in (OpenID Connect Core section 3.1.2.1) that has not happened since this request.
 *
 * @param hinted the user id that the client expects; null when it names none.
 */
export function mustSignIn(wanted: AuthorizeRequest, login: Login | null, hinted: number | null, now: number): boolean {
  if (!login) return true;
  if (wanted.signedInSince !== null && login.signedInAt >= wanted.signedInSince) return false;
  if (hinted !== null && hinted !== login.userId) return true;
  if (wanted.prompt.has('login') || wanted.prompt.has('select_account')) return true;
  return wanted.maxAge !== null && now - login.signedInAt >= wanted.maxAge * 1000;
}
