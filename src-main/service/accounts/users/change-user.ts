import type { ManagedUserChange } from '../../contract/account-security.ts';
import { foldedKey } from '../../database/text-search.ts';
import { HttpProblem } from '../../common/problem.ts';
import { requireReadable } from '../../http/server/require-readable.ts';
import type { Actor } from '../../http/principal.ts';
import { requireEmail } from './create-user.ts';
import { lastAdministrator, refuseForOwner } from './keep-administrators.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { setPassword } from '../passwords/set-password.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { OAuthStores } from '../../oauth/store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

/**
 * Checks a change of an account before it is made.
 *
 * @throws HttpProblem 400 for invalid fields, 403 for one's own password, 409 when the e-mail
 * address is taken, and for the owner of the window.
 */
export async function checkUserChange(
  services: Pick<AccountStores, 'users'> & Pick<ServiceContext, 'passwords' | 'settings'>,
  user: UserRow,
  { name = user.name, email = user.email, password, admin }: ManagedUserChange,
  by: Actor,
): Promise<void> {
  if (password !== undefined) {
    if (user.id === by.userId)
      throw new HttpProblem(403, 'Change your own password on your account page, which asks for the current one.');
    await requireGoodPassword(services, password, { ...user, name, email });
  }
  requireReadable('The name', name, user.name);
  if (email !== null && email !== user.email) {
    requireEmail(email);
    // Users who share an address from an older version keep it.
    const isNew = foldedKey(email) !== foldedKey(user.email ?? '');
    if (isNew && (await services.users.hasEmail(email, user.id))) throw emailTaken();
  }
  if (admin === false) await refuseForOwner(services, user, 'demoted');
}

/**
 * Changes an account as an administrator. A new password signs the user out everywhere.
 *
 * @throws HttpProblem 400 for invalid fields, 409 when the e-mail address is taken, for the last
 * administrator and for the owner of the window.
 */
export async function changeUser(
  services: Pick<AccountStores, 'users' | 'sessions' | 'knownPlaces'> &
    TokenStores &
    Pick<OAuthStores, 'oauth'> &
    Pick<AuditStores, 'audit'> &
    Pick<ServiceContext, 'changes' | 'events' | 'passwords' | 'settings'>,
  user: UserRow,
  change: ManagedUserChange,
  by: Actor,
): Promise<void> {
  const { name = user.name, email = user.email, password, admin } = change;
  // All checks come first, so that a refused change has no effect.
  await checkUserChange(services, user, change, by);

  const wasAdmin = user.is_admin === 1;
  if (admin !== undefined && admin !== wasAdmin && !(await services.users.setAdmin(user.id, admin)))
    throw lastAdministrator(user, 'demoted');
  if (!(await services.users.setProfile(user.id, name, email))) throw emailTaken();
  services.changes.bump();
  const changed = [
    ...(name === user.name ? [] : ['name']),
    ...(email === user.email ? [] : ['e-mail']),
    ...(admin === undefined || admin === wasAdmin ? [] : [admin ? 'administrator' : 'no administrator any more']),
  ];
  if (changed.length > 0)
    await services.audit.record({
      ...by,
      action: 'user.update',
      subject: `user:${user.id}`,
      detail: changed.join(', '),
    });
  if (password !== undefined) await setPassword(services, user, password, { by, keepSession: null, tokens: false });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
}

function emailTaken(): HttpProblem {
  return new HttpProblem(409, 'The e-mail address is taken.', { type: 'taken' });
}
