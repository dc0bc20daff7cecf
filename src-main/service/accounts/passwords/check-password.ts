import { placeOf, type SignInOrigin, type SignInPlace } from '../store/sign-in-place.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'signInFailures' | 'knownPlaces' | 'secondFactors'> &
  Pick<ServiceContext, 'events' | 'passwords'>;

/**
 * The reason is for the audit trail and for decisions only: all failures must look alike to the
 * client.
 */
export type PasswordCheck =
  | { readonly ok: true; readonly user: UserRow; readonly place: SignInPlace }
  | { readonly ok: false; readonly reason: 'wrong' | 'locked' | 'blocked' };

/**
 * Checks a user name and a password; this takes equally long whether the user is unknown, has no
 * password, is locked or blocked. Ten failures, codes of the second factor included, lock an
 * account for ten minutes for their network or browser.
 */
export async function checkPassword(
  services: Deps,
  username: string,
  password: string,
  origin: SignInOrigin,
): Promise<PasswordCheck> {
  const found = await services.users.byUsername(username);
  const fits = await services.passwords.verify(found?.password_hash ?? null, password);
  // Read again, because concurrent guesses may have changed the row during the slow verification.
  const user = found && (await services.users.byId(found.id));
  const place = await placeOf(services, user?.id ?? null, origin);
  const locked = user !== null && (await services.signInFailures.locked(user.id, place, Date.now()));
  // Changing a password ends all sessions; a check of the old one that finishes later must not
  // start a new session.
  const replaced = user !== null && user.password_hash !== found?.password_hash;
  if (!user || !fits || locked || replaced) {
    const recorded = await services.signInFailures.record(
      user?.id ?? null,
      locked ? 'account locked' : 'wrong password',
      place,
      Date.now(),
    );
    services.events.emit('changed', { topic: recorded === 'locks' ? 'users' : 'audit' });
    return { ok: false, reason: locked || recorded === 'was-locked' ? 'locked' : 'wrong' };
  }
  if (user.state !== 'active') {
    await services.signInFailures.record(user.id, 'account blocked', place, Date.now());
    return { ok: false, reason: 'blocked' };
  }
  // With a second factor the failures are cleared only after that one: otherwise a known password
  // would allow codes to be guessed without limit.
  if (!(await services.secondFactors.enabled(user.id))) await services.signInFailures.clearPlace(user.id, place);
  return { ok: true, user, place };
}
