import { Type } from 'typebox';
import { SignInSettings } from '../../contract/applications.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { changeSignInSettings, signInSettings } from './sign-in-settings.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'auth' | 'events' | 'settings'>;

const Change = Type.Partial(Type.Object(SignInSettings.properties), { additionalProperties: false });

/** Routes of the installation's sign-in settings; administrators only. */
export function registerSignInSettingsRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/application/settings',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['oauth'],
        summary: 'How signing in works here',
        operationId: 'getSignInSettings',
        response: { 200: SignInSettings },
      },
    },
    async () => signInSettings(deps),
  );
  app.put(
    '/api/v4/application/settings',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['oauth'],
        summary: 'Change how signing in works here',
        operationId: 'changeSignInSettings',
        body: Change,
        response: { 200: SignInSettings },
      },
    },
    async (request) => changeSignInSettings(deps, request.body, actorOf(request)),
  );
}
