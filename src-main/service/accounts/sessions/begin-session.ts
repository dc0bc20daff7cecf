import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSessionCookie, setSessionCookie } from '../../http/session-cookie.ts';
import { rememberPlace } from '../attempts/remember-place.ts';
import { noticeSignIn } from './notice-sign-in.ts';
import { sessionLifetimeMs } from '../store/sessions.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions' | 'signInFailures' | 'knownPlaces' | 'signInPlaces'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'events'>;

export interface SignInProof {
  readonly how: string;
  readonly secondFactor: boolean;
}

/**
 * Starts a session after all authentication steps succeeded.
 *
 * @param proof for the audit trail, with whether a second factor was verified.
 * @returns the value of the session cookie.
 */
export async function beginSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  proof: SignInProof,
): Promise<string> {
  // Prevents session fixation: a session from before the sign-in is never continued.
  const before = readSessionCookie(request, deps.baseUrl());
  if (before !== undefined) await deps.sessions.end(before);
  const cookie = await deps.sessions.begin(
    userId,
    request.ip,
    request.headers['user-agent'] ?? null,
    proof.secondFactor,
  );
  setSessionCookie(reply, cookie, deps.baseUrl(), sessionLifetimeMs);
  await deps.users.recordSignIn(userId, Date.now());
  await rememberPlace(deps, request, reply, userId);
  await noticeSignIn(deps, userId, request.ip, request.headers['user-agent'] ?? null);
  await deps.audit.record({
    userId,
    action: 'user.sign-in',
    subject: `user:${userId}`,
    detail: proof.how,
    address: request.ip,
  });
  // Updates the list of sessions and the time of the user's last sign-in.
  for (const topic of ['account', 'users'] as const) deps.events.emit('changed', { topic });
  return cookie;
}
