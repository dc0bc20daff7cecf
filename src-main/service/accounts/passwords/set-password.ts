import { signOutEverywhere, type SignOutOptions } from './sign-out-everywhere.ts';
import { requireGoodPassword } from './password-rules.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { OAuthStores } from '../../oauth/store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

/**
 * Sets a new password and ends the sessions that the old one had started.
 *
 * @throws HttpProblem 400 when the password breaks the rules.
 */
export async function setPassword(
  services: Pick<AccountStores, 'users' | 'sessions' | 'knownPlaces'> &
    TokenStores &
    Pick<OAuthStores, 'oauth'> &
    Pick<AuditStores, 'audit'> &
    Pick<ServiceContext, 'changes' | 'events' | 'passwords'>,
  user: UserRow,
  password: string,
  what: SignOutOptions,
): Promise<void> {
  await requireGoodPassword(services, password, user);
  await services.users.setPassword(user.id, await services.passwords.hash(password));
  // Other people who knew the old password may have signed in with it.
  await services.knownPlaces.forgetAll(user.id);
  await services.audit.record({
    ...what.by,
    action: 'user.password-change',
    subject: `user:${user.id}`,
    ...(what.tokens ? { detail: 'with all tokens revoked' } : {}),
  });
  await signOutEverywhere(services, user.id, what);
}
