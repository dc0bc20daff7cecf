import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { refusedToApplications } from '../../http/application-rights.ts';
import { currentSession, notWithToken } from '../sessions/current-session.ts';
import type { AccountStores } from '../store/stores.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> & { readonly baseUrl: () => string };

/** For how long one proof of who is asking is enough. */
export const confirmationLifetimeMs = 15 * 60_000;

/**
 * Demands that the user proved within the last 15 minutes who they are, by signing in or by the password again: whoever finds an open browser
 * must not gain lasting access. The window is at the owner's own machine and passes, and so does an account without a password.
 *
 * @throws HttpProblem 403: `confirmation-needed`; without that type for a token, which can never do this.
 */
export async function requireConfirmation(deps: Deps, request: FastifyRequest): Promise<void> {
  const principal = principalOf(request);
  if (principal.kind === 'window') return;
  if (principal.kind !== 'session') throw notWithToken();
  const confirmedUntil = await confirmationEnds(deps, request);
  if (confirmedUntil !== null && confirmedUntil > Date.now()) return;
  const user = await deps.users.byId(principal.userId);
  if (user?.password_hash === null) return;
  throw new HttpProblem(403, 'Confirm this with your password.', { type: 'confirmation-needed' });
}

/**
 * Like `requireConfirmation`, but lets a personal access token pass, for scripts. Applications are refused.
 *
 * @throws HttpProblem 403.
 */
export async function requirePersonally(deps: Deps, request: FastifyRequest): Promise<void> {
  const { kind } = principalOf(request);
  if (kind === 'oauth') throw refusedToApplications();
  if (kind !== 'token') await requireConfirmation(deps, request);
}

/** Until when the proof of this request's session holds, or held; null for the window and for tokens. */
export async function confirmationEnds(
  deps: Pick<Deps, 'sessions' | 'baseUrl'>,
  request: FastifyRequest,
): Promise<number | null> {
  const session = await currentSession(deps, request);
  return session && session.confirmed_at + confirmationLifetimeMs;
}
