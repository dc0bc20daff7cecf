import type { Services } from '../services.ts';
import type { UserRow } from './users-store.ts';

type Needs = Pick<Services, 'users' | 'passwords' | 'signInFailures' | 'secondFactors' | 'events'>;

/** The reason is for the audit trail and for decisions, never for the one who asks: all three get the same answer. */
export type PasswordCheck = { readonly ok: true; readonly user: UserRow } | { readonly ok: false; readonly reason: 'wrong' | 'locked' | 'blocked' };

/**
 * Checks a user name and a password, in the same time for unknown users, users without a password, locked and blocked ones. Ten failures lock
 * an account for ten minutes; codes of the second factor count too.
 */
export async function checkPassword(services: Needs, username: string, password: string, address: string): Promise<PasswordCheck> {
  const found = await services.users.byUsername(username);
  const fits = await services.passwords.verify(found?.password_hash ?? null, password);
  // Read again, because many guesses may have been waiting together with this one.
  const user = found && (await services.users.byId(found.id));
  const locked = user !== null && isLocked(user);
  // A new password signs out wherever the old one had signed in; what was still being looked at then would come after that.
  const replaced = user !== null && user.password_hash !== found?.password_hash;
  if (!user || !fits || locked || replaced) {
    const reason = locked ? 'locked' : 'wrong';
    const nowLocked = await services.signInFailures.record(user?.id ?? null, locked ? 'account locked' : 'wrong password', address, Date.now());
    services.events.emit('changed', { topic: nowLocked ? 'users' : 'audit' });
    return { ok: false, reason };
  }
  if (user.state !== 'active') {
    await services.signInFailures.record(user.id, 'account blocked', address, Date.now());
    return { ok: false, reason: 'blocked' };
  }
  // With a second factor the count goes on until that one is right too: otherwise a known password would allow codes to be guessed for ever.
  if (!(await services.secondFactors.enabled(user.id))) await services.signInFailures.clear(user.id);
  return { ok: true, user };
}

/** Whether too many failures have closed an account for now. */
export function isLocked(user: UserRow): boolean {
  return user.locked_until !== null && user.locked_until > Date.now();
}
