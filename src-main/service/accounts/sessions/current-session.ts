import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { readSessionCookie } from '../../http/session-cookie.ts';
import type { SessionRow } from '../store/sessions-store.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'sessions'> & Pick<ServiceContext, 'baseUrl'>;

/** The browser session of the request; null for the window and for tokens. */
export async function currentSession(deps: Deps, request: FastifyRequest): Promise<SessionRow | null> {
  const cookie = principalOf(request).kind === 'session' ? readSessionCookie(request, deps.baseUrl()) : undefined;
  return cookie === undefined ? null : deps.sessions.row(cookie);
}

/** 403 for actions that only a person may take, in the window or in a browser. */
export function notWithToken(): HttpProblem {
  return new HttpProblem(403, 'A token cannot do this. Do it in the window, or in a signed-in browser.');
}
