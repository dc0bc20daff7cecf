import type { Actor } from '../../http/principal.ts';
import { revokeToken } from '../../tokens/revoke-token.ts';
import type { AccountStores } from '../store/stores.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { OAuthStores } from '../../oauth/store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'sessions'> &
  TokenStores &
  Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events'>;

export interface SignOutOptions {
  readonly by: Actor;
  /** Id of the session to keep, usually that of the request; null ends all. */
  readonly keepSession: number | null;
  /** Whether to revoke personal access tokens and the grants of applications too. */
  readonly tokens: boolean;
}

/** Signs a user out everywhere; running transfers and event streams end too. */
export async function signOutEverywhere(services: Deps, userId: number, what: SignOutOptions): Promise<void> {
  await services.sessions.endAllOf(userId, what.keepSession);
  if (what.tokens) {
    for (const row of await services.tokens.ofUser(userId)) await revokeToken(services, row, what.by);
    const grants = await services.oauth.revokeAllOfUser(userId);
    if (grants > 0)
      await services.audit.record({
        ...what.by,
        action: 'oauth.revoke',
        subject: `user:${userId}`,
        detail: `all ${grants} grants`,
      });
  }
  services.changes.bump();
  services.events.emit('changed', { topic: 'account' });
}
