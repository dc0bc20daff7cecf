import { Type } from 'typebox';
import { PasswordChange } from '../contract/account-security.ts';
import { Problem } from '../contract/common.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { invalidRequest } from '../common/problem.ts';
import { setSessionCookie } from '../http/session-cookie.ts';
import { currentSession, notWithToken } from './sessions/current-session.ts';
import { requireOwnPassword } from './confirmation/require-own-password.ts';
import { setPassword } from './passwords/set-password.ts';
import { rememberPlace } from './attempts/remember-place.ts';
import { signInLimits } from './attempts/sign-in-limits.ts';
import { originOf } from './store/sign-in-place.ts';
import { userOf } from './store/user-of.ts';
import type { AccountStores } from './store/stores.ts';
import type { TokenStores } from '../tokens/stores.ts';
import type { OAuthStores } from '../oauth/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = AccountStores &
  TokenStores &
  Pick<OAuthStores, 'oauth'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'cluster' | 'events' | 'passwords'>;

/** Route on which users change their own password. */
export function registerPasswordRoutes(app: App, deps: Deps): void {
  const limits = signInLimits(deps);

  app.put(
    '/api/v4/user/password',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Change the own password; every other sign-in of the user ends',
        operationId: 'changePassword',
        body: PasswordChange,
        response: { 204: Type.Null(), 429: Problem, 503: Problem },
      },
    },
    async (request, reply) => {
      const { kind } = principalOf(request);
      if (kind !== 'window' && kind !== 'session') throw notWithToken();
      const user = await userOf(deps, request);
      const { current_password: current, new_password: wanted, revoke_tokens: tokens } = request.body;
      if (kind === 'session' && user.password_hash !== null) {
        if (current === undefined) throw invalidRequest('Give the current password too.');
        await requireOwnPassword(deps, limits, user, current, originOf(request, deps.baseUrl()));
      }
      const session = await currentSession(deps, request);
      await setPassword(deps, user, wanted, { by: actorOf(request), keepSession: session?.id ?? null, tokens });
      // A stolen cookie may be the reason for the change, so the cookie is replaced (OWASP ASVS
      // 5.0, 7.2.4).
      if (session) {
        setSessionCookie(reply, await deps.sessions.renew(session.id), deps.baseUrl(), session.expires_at - Date.now());
        await rememberPlace(deps, request, reply, user.id);
      }
      return reply.code(204).send(null);
    },
  );
}
