import type { App } from '../http/app.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerManagedUserRoutes } from './users/managed-user-routes.ts';
import { registerPasswordRoutes } from './password-routes.ts';
import { registerSessionListRoutes } from './session-list-routes.ts';
import { registerTotpRoutes } from './totp-routes.ts';
import { registerWebauthnRoutes } from './webauthn-routes.ts';
import type { AccountStores } from './store/stores.ts';
import type { ShortLivedStores } from '../short-lived/stores.ts';
import type { TokenStores } from '../tokens/stores.ts';
import type { OAuthStores } from '../oauth/store/stores.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

/** Registers the routes of the caller's own account and of account administration. */
export function registerAccount(
  app: App,
  deps: AccountStores &
    ShortLivedStores &
    TokenStores &
    Pick<OAuthStores, 'oauth'> &
    Pick<MeasurementStores, 'grants'> &
    Pick<AuditStores, 'audit'> &
    Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'cluster' | 'events' | 'passwords' | 'secrets' | 'settings'>,
): void {
  registerAccountRoutes(app, deps);
  registerPasswordRoutes(app, deps);
  registerTotpRoutes(app, deps);
  registerWebauthnRoutes(app, deps);
  registerSessionListRoutes(app, deps);
  registerManagedUserRoutes(app, deps);
  app.addHook('onClose', async () => deps.passwords.close());
}
