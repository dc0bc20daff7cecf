import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NewWebauthnKey, WebauthnKey } from '../contract/account-security.ts';
import { Problem } from '../contract/common.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { HttpProblem } from '../common/problem.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import { readSessionCookie } from '../http/session-cookie.ts';
import { currentSession } from './sessions/current-session.ts';
import { userOf } from './store/user-of.ts';
import { requireSecondFactor } from './confirmation/require-second-factor.ts';
import { registeredKey, registrationOptions, type RelyingParty } from './second-factors/webauthn.ts';
import { relyingPartyHere } from './second-factors/webauthn-here.ts';
import { webauthnKeyShape } from './second-factors/webauthn-key-shape.ts';
import type { AccountStores } from './store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';
import { ShortLived } from '../short-lived/short-lived.ts';
import type { ShortLivedStores } from '../short-lived/stores.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions' | 'secondFactors' | 'webauthnKeys'> &
  ShortLivedStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'events'>;

/** For a security key that is being registered. */
interface Challenge {
  readonly challenge: string;
}

const challengeLifetimeMs = 5 * 60_000;
const maxKeys = 20;

/** Routes for the caller's security keys. */
export function registerWebauthnRoutes(app: App, deps: Deps): void {
  // One challenge for each session, valid once.
  const challenges = new ShortLived<Challenge>(deps.shortLived, {
    kind: 'security-key',
    maxEntries: 10_000,
    maxPerOwner: 50,
  });

  app.post(
    '/api/v4/user/webauthn/options',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Options for registering a security key in a browser (PublicKeyCredentialCreationOptionsJSON)',
        operationId: 'beginWebauthnKey',
        response: { 200: Type.Object({}, { additionalProperties: true }), 409: Problem },
      },
    },
    async (request) => {
      await requireSecondFactor(deps, request);
      const party = requireParty(deps, request);
      const user = await userOf(deps, request);
      const keys = await deps.webauthnKeys.ofUser(user.id);
      if (keys.length >= maxKeys)
        throw new HttpProblem(409, `An account has at most ${maxKeys} security keys. Remove one first.`, {
          type: 'too-many-keys',
        });
      const options = await registrationOptions(party, user, keys);
      const { challenge } = options;
      await challenges.put(
        sessionKey(deps, request, user.id),
        user.id,
        { challenge },
        Date.now() + challengeLifetimeMs,
      );
      return { ...options };
    },
  );
  registerKeyAddition(app, deps, challenges);
  registerKeyRemoval(app, deps);
}

function registerKeyAddition(app: App, deps: Deps, challenges: ShortLived<Challenge>): void {
  app.post(
    '/api/v4/user/webauthn',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Register a security key; signing in asks for it from now on',
        operationId: 'addWebauthnKey',
        body: NewWebauthnKey,
        response: { 201: WebauthnKey, 409: Problem },
      },
    },
    async (request, reply) => {
      requireReadable('The name of the key', request.body.name.trim());
      await requireSecondFactor(deps, request);
      const party = requireParty(deps, request);
      const user = await userOf(deps, request);
      const begun = await challenges.take(sessionKey(deps, request, user.id));
      const key = begun && (await registeredKey(party, begun.challenge, request.body.response));
      if (!key)
        throw new HttpProblem(400, 'The answer of the security key is not valid, or came too late. Start again.', {
          type: 'wrong-key',
        });
      const row = await deps.webauthnKeys.add(
        { user_id: user.id, name: request.body.name.trim() || 'Security key', ...key },
        Date.now(),
      );
      if (!row) throw new HttpProblem(409, 'This security key is already registered.', { type: 'taken' });
      const session = await currentSession(deps, request);
      if (session) await deps.sessions.confirmFactor(session.id);
      await record(deps, request, 'user.webauthn-add', user.id, row.name);
      return reply.code(201).send(webauthnKeyShape(row));
    },
  );
}

function registerKeyRemoval(app: App, deps: Deps): void {
  app.delete(
    '/api/v4/user/webauthn/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Remove a security key',
        operationId: 'removeWebauthnKey',
        params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
        response: { 204: Type.Null(), 409: Problem, 404: Problem },
      },
    },
    async (request, reply) => {
      await requireSecondFactor(deps, request);
      const user = await userOf(deps, request);
      const row = await deps.webauthnKeys.remove(user.id, request.params.id);
      if (!row) throw new HttpProblem(404, 'There is no such security key.');
      await deps.secondFactors.removeUnusedCodes(user.id);
      await record(deps, request, 'user.webauthn-remove', user.id, row.name);
      return reply.code(204).send(null);
    },
  );
}

function requireParty(deps: Deps, request: FastifyRequest): RelyingParty {
  const party = relyingPartyHere(request, deps.baseUrl());
  if (typeof party === 'string') throw new HttpProblem(409, party, { type: 'webauthn-unavailable' });
  return party;
}

// Requests with a token have no cookie; they share one challenge of their user.
function sessionKey(deps: Deps, request: FastifyRequest, userId: number): string {
  return `${readSessionCookie(request, deps.baseUrl()) ?? ''} ${userId}`;
}

async function record(
  deps: Deps,
  request: FastifyRequest,
  action: string,
  userId: number,
  detail: string,
): Promise<void> {
  await deps.audit.record({ ...actorOf(request), action, subject: `user:${userId}`, detail });
  deps.events.emit('changed', { topic: 'account' });
}
