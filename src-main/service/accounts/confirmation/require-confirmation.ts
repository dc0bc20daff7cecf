import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { refusedToApplications } from '../../http/application-rights.ts';
import { currentSession, notWithToken } from '../sessions/current-session.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> & Pick<ServiceContext, 'baseUrl'>;

/** How long a confirmation stays valid, in milliseconds. */
export const confirmationLifetimeMs = 15 * 60_000;

/**
 * Requires that the user signed in or entered the password within the last 15 minutes, so that a
 * browser left open gives no lasting access. The window passes because it runs on the owner's
 * machine, and so does an account without a password.
 *
 * @throws HttpProblem 403 `confirmation-needed`; without a type for tokens, which are never
 * allowed.
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
 * Like `requireConfirmation`, but accepts personal access tokens, for scripts. Applications are
 * refused.
 *
 * @throws HttpProblem 403.
 */
export async function requirePersonally(deps: Deps, request: FastifyRequest): Promise<void> {
  const { kind } = principalOf(request);
  if (kind === 'oauth') throw refusedToApplications();
  if (kind !== 'token') await requireConfirmation(deps, request);
}

/**
 * Expiry of the session's confirmation, in milliseconds since 1970, possibly in the past; null for
 * the window and for tokens.
 */
export async function confirmationEnds(
  deps: Pick<Deps, 'sessions' | 'baseUrl'>,
  request: FastifyRequest,
): Promise<number | null> {
  const session = await currentSession(deps, request);
  return session && session.confirmed_at + confirmationLifetimeMs;
}
