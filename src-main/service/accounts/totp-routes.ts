import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NewTotpKey, RecoveryCodes, TotpCode } from '../contract/account-security.ts';
import { Problem } from '../contract/common.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { HttpProblem } from '../common/problem.ts';
import { currentSession } from './sessions/current-session.ts';
import { userOf } from './store/user-of.ts';
import { newRecoveryCodes, recoveryCodeDigest } from './second-factors/recovery-codes.ts';
import { requireSecondFactor } from './confirmation/require-second-factor.ts';
import { signInLimits, type SignInLimits } from './attempts/sign-in-limits.ts';
import { originOf, placeOf } from './store/sign-in-place.ts';
import { newTotpKey, totpStep, totpUri } from './second-factors/totp.ts';
import type { AccountStores } from './store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = AccountStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'cluster' | 'events' | 'secrets'>;

const wrongCode = 'wrong-code';

/** Routes for the caller's authenticator and recovery codes. */
export function registerTotpRoutes(app: App, deps: Deps): void {
  const limits = signInLimits(deps);
  registerTotpSetup(app, deps, limits);

  app.delete(
    '/api/v4/user/totp',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Turn the authenticator off',
        operationId: 'removeTotp',
        response: { 204: Type.Null(), 409: Problem },
      },
    },
    async (request, reply) => {
      await requireSecondFactor(deps, request);
      const user = await userOf(deps, request);
      if (await deps.totpKeys.remove(user.id)) {
        await deps.secondFactors.removeUnusedCodes(user.id);
        await record(deps, request, 'user.totp-off', user.id);
      }
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v4/user/recovery_codes',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'New recovery codes, shown this once; the old ones are dead',
        operationId: 'renewRecoveryCodes',
        response: { 201: RecoveryCodes, 409: Problem },
      },
    },
    async (request, reply) => {
      await requireSecondFactor(deps, request);
      const user = await userOf(deps, request);
      if (!(await deps.secondFactors.enabled(user.id))) {
        throw new HttpProblem(
          409,
          'Recovery codes replace a second factor, and you have none. Set up an authenticator or a security key first.',
          {
            type: 'no-second-factor',
          },
        );
      }
      await record(deps, request, 'user.recovery-codes', user.id);
      return reply.code(201).send(await giveRecoveryCodes(deps, user.id));
    },
  );
}

function registerTotpSetup(app: App, deps: Deps, limits: SignInLimits): void {
  app.post(
    '/api/v4/user/totp',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Begin to set up an authenticator; it is needed at sign-in once a first code has confirmed it',
        operationId: 'beginTotp',
        response: { 201: NewTotpKey, 409: Problem },
      },
    },
    async (request, reply) => {
      await requireSecondFactor(deps, request);
      const user = await userOf(deps, request);
      const secret = newTotpKey();
      const sealed = deps.secrets.seal(`totp:${user.id}`, Buffer.from(secret));
      if (!(await deps.totpKeys.begin(user.id, sealed, Date.now()))) throw alreadyOn();
      return reply.code(201).send({ secret, uri: totpUri(secret, user.username, new URL(deps.baseUrl()).host) });
    },
  );

  app.post(
    '/api/v4/user/totp/confirm',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Turn the authenticator on with its first code; answers the recovery codes, this once',
        operationId: 'confirmTotp',
        body: TotpCode,
        response: { 200: RecoveryCodes, 409: Problem, 429: Problem },
      },
    },
    async (request) => {
      await requireSecondFactor(deps, request);
      const user = await userOf(deps, request);
      const place = await placeOf(deps, user.id, originOf(request, deps.baseUrl()));
      const work = () => confirmKey(deps, request, user.id);
      return limits.run(
        place,
        String(user.id),
        work,
        (error) => error instanceof HttpProblem && error.type === wrongCode,
      );
    },
  );
}

async function confirmKey(
  deps: Deps,
  request: FastifyRequest<{ Body: { readonly code: string } }>,
  userId: number,
): Promise<RecoveryCodes> {
  const key = await deps.totpKeys.ofUser(userId);
  if (!key)
    throw new HttpProblem(409, 'There is no new authenticator to confirm. Start again.', {
      type: 'no-authenticator',
    });
  if (key.confirmed_at !== null) throw alreadyOn();
  const secret = deps.secrets.open(`totp:${userId}`, key.sealed_key).toString();
  const step = totpStep(secret, request.body.code.replaceAll(/\s/g, ''), Date.now());
  if (step === null) {
    throw new HttpProblem(
      400,
      'This code is wrong. Type the one that the authenticator shows now; if none works, its clock may be wrong.',
      {
        type: wrongCode,
      },
    );
  }
  if (!(await deps.totpKeys.confirm(userId, step, Date.now()))) throw alreadyOn();
  const session = await currentSession(deps, request);
  if (session) await deps.sessions.confirmFactor(session.id);
  await record(deps, request, 'user.totp-on', userId);
  return giveRecoveryCodes(deps, userId);
}

async function giveRecoveryCodes(deps: Deps, userId: number): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes();
  await deps.recoveryCodes.replace(userId, codes.map(recoveryCodeDigest));
  return { recovery_codes: [...codes] };
}

async function record(deps: Deps, request: FastifyRequest, action: string, userId: number): Promise<void> {
  await deps.audit.record({ ...actorOf(request), action, subject: `user:${userId}` });
  deps.events.emit('changed', { topic: 'account' });
}

function alreadyOn(): HttpProblem {
  return new HttpProblem(409, 'An authenticator is already set up. Turn it off first.', { type: 'authenticator-on' });
}
