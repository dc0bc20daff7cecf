import { Account, Confirmation } from '../contract/account-security.ts';
import { Problem } from '../contract/common.ts';
import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { invalidRequest } from '../common/problem.ts';
import { isoTime } from '../common/iso-time.ts';
import { currentSession, notWithToken } from './sessions/current-session.ts';
import { confirmationEnds } from './confirmation/require-confirmation.ts';
import { requireOwnFactor, requireOwnPassword } from './confirmation/require-own-password.ts';
import { signInLimits } from './attempts/sign-in-limits.ts';
import { originOf } from './store/sign-in-place.ts';
import { userOf } from './store/user-of.ts';
import { userShape } from './users/user-shape.ts';
import { relyingPartyHere } from './second-factors/webauthn-here.ts';
import { webauthnKeyShape } from './second-factors/webauthn-key-shape.ts';
import type { AccountStores } from './store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = AccountStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'cluster' | 'events' | 'passwords' | 'secrets'>;

/** Routes of the caller's own account, and of confirming who sits at the browser. */
export function registerAccountRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/user/account',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'How the caller signs in',
        operationId: 'getAccount',
        response: { 200: Account },
      },
    },
    async (request) => {
      const user = await userOf(deps, request);
      const party = relyingPartyHere(request, deps.baseUrl());
      const key = await deps.totpKeys.ofUser(user.id);
      return {
        user: userShape(user, deps.baseUrl()),
        has_password: user.password_hash !== null,
        totp: key !== null && key.confirmed_at !== null,
        recovery_codes_left: await deps.recoveryCodes.left(user.id),
        webauthn_keys: (await deps.webauthnKeys.ofUser(user.id)).map(webauthnKeyShape),
        webauthn_unavailable: typeof party === 'string' ? party : null,
        confirmed_until: isoTime(await confirmationEnds(deps, request)),
      };
    },
  );
  registerConfirmation(app, deps);
}

function registerConfirmation(app: App, deps: Deps): void {
  const limits = signInLimits(deps);

  app.post(
    '/api/v4/session/confirm',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Prove again who is asking, by the password or the second factor, for 15 minutes of sensitive changes',
        operationId: 'confirmSession',
        body: Confirmation,
        response: { 204: Type.Null(), 429: Problem, 503: Problem },
      },
    },
    async (request, reply) => {
      if (principalOf(request).kind === 'window') return reply.code(204).send(null);
      const session = await currentSession(deps, request);
      if (!session) throw notWithToken();
      const { password, code } = request.body;
      if ((password === undefined) === (code === undefined)) throw invalidRequest('Give the password or a code.');
      const user = await userOf(deps, request);
      const origin = originOf(request, deps.baseUrl());
      if (password === undefined) {
        await requireOwnFactor(deps, limits, user, code ?? '', origin);
        await deps.sessions.confirmFactor(session.id);
      } else {
        await requireOwnPassword(deps, limits, user, password, origin);
        await deps.sessions.confirm(session.id);
      }
      return reply.code(204).send(null);
    },
  );
}
