import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Services } from '../services.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerManagedUserRoutes } from './users/managed-user-routes.ts';
import { registerPasswordRoutes } from './password-routes.ts';
import { registerSessionListRoutes } from './session-list-routes.ts';
import { registerTotpRoutes } from './totp-routes.ts';
import { registerWebauthnRoutes } from './webauthn-routes.ts';

/** Everything about one's own account, and what administrators do with those of others. */
export function registerAccount(app: App, deps: Services & { readonly auth: Authentication; readonly baseUrl: () => string }): void {
  registerAccountRoutes(app, deps);
  registerPasswordRoutes(app, deps);
  registerTotpRoutes(app, deps);
  registerWebauthnRoutes(app, deps);
  registerSessionListRoutes(app, deps);
  registerManagedUserRoutes(app, deps);
}
