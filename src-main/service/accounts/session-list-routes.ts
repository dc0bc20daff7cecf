import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SignedInSession } from '../contract/account-security.ts';
import { Problem } from '../contract/common.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import { isoTime } from '../common/iso-time.ts';
import { currentSession } from './sessions/current-session.ts';
import type { SessionRow } from './store/sessions-store.ts';
import type { AccountStores } from './store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AccountStores, 'sessions'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events'>;

/** Routes to list and end the caller's sessions. */
export function registerSessionListRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/user/sessions',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Browsers that the caller is signed in with, the last used first',
        operationId: 'listSessions',
        response: { 200: Type.Array(SignedInSession) },
      },
    },
    async (request) => {
      const current = await currentSession(deps, request);
      return (await deps.sessions.ofUser(principalOf(request).userId)).map((row) =>
        sessionShape(row, row.id === current?.id),
      );
    },
  );

  app.delete(
    '/api/v4/user/sessions/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Sign one browser out',
        operationId: 'endSession',
        params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const { userId } = principalOf(request);
      if (!(await deps.sessions.endOne(userId, request.params.id)))
        throw new HttpProblem(404, 'There is no such sign-in.');
      await record(deps, request, `sign-in ${request.params.id}`);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/v4/user/sessions',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['accounts'],
        summary: 'Sign every other browser out',
        operationId: 'endOtherSessions',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deps.sessions.endAllOf(principalOf(request).userId, (await currentSession(deps, request))?.id);
      await record(deps, request, 'all other sign-ins');
      return reply.code(204).send(null);
    },
  );
}

async function record(deps: Deps, request: FastifyRequest, detail: string): Promise<void> {
  deps.changes.bump();
  const by = actorOf(request);
  await deps.audit.record({ ...by, action: 'user.session-end', subject: `user:${by.userId}`, detail });
  deps.events.emit('changed', { topic: 'account' });
}

function sessionShape(row: SessionRow, current: boolean): SignedInSession {
  return {
    id: row.id,
    current,
    address: row.address,
    user_agent: row.user_agent,
    created_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at),
    expires_at: isoTime(row.expires_at),
  };
}
