import type { FastifyRequest } from 'fastify';
import { readSessionCookie } from '../../http/session-cookie.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';

/** Who is signed in, in the browser that a request for authorization came by. */
export interface Login {
  readonly cookie: string;
  readonly userId: number;
  readonly username: string;
  /** When they last proved who they are, milliseconds since 1970. */
  readonly signedInAt: number;
}

/** The login of a request; null when nobody is signed in. Tokens count for nothing here: only people approve. */
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
 * Whether the user has to sign in first: because nobody is signed in, or because the client wants it anew (OpenID Connect Core section 3.1.2.1)
 * and they have not done so since they were sent to do it for this request.
 *
 * @param hinted the account that the client expects; null when it does not say.
 */
export function mustSignIn(wanted: AuthorizeRequest, login: Login | null, hinted: number | null, now: number): boolean {
  if (!login) return true;
  if (wanted.signedInSince !== null && login.signedInAt >= wanted.signedInSince) return false;
  if (hinted !== null && hinted !== login.userId) return true;
  if (wanted.prompt.has('login') || wanted.prompt.has('select_account')) return true;
  return wanted.maxAge !== null && now - login.signedInAt >= wanted.maxAge * 1000;
}
