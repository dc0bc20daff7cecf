import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { existingUser } from '../../accounts/store/existing-user.ts';
import { requireConfirmation, requirePersonally } from '../../accounts/confirmation/require-confirmation.ts';
import { CreatedToken, NewToken, TokenRotation } from '../../contract/accounts.ts';
import { Day } from '../../contract/common.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { checkNewToken, createToken, type NewTokenInput } from '../create-token.ts';
import { readGitlabForm } from '../gitlab-form.ts';
import { reachableToken, TokenParams } from './reachable-token.ts';
import { endOfRotatedToken } from '../expiry-day.ts';
import { rotateToken } from '../rotate-token.ts';
import { tokenShape } from '../token-shape.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { TokenStores } from '../stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> &
  TokenStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events'>;

/**
 * The routes that issue a personal access token: creation by its user, creation by an
 * administrator, rotation.
 */
export function registerTokenIssueRoutes(app: App, deps: Deps): void {
  app.post(
    '/api/v4/user/personal_access_tokens',
    {
      onRequest: deps.auth.require('api'),
      preValidation: readGitlabForm,
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'Create a personal access token; only from the window or a signed-in browser',
        operationId: 'createToken',
        body: NewToken,
        response: { 201: CreatedToken },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      if (principal.kind === 'token' || principal.kind === 'oauth') {
        throw new HttpProblem(
          403,
          'A token cannot create tokens. Create it in the window, in a signed-in browser, or with "benchport token create".',
        );
      }
      const input = inputOf(principal.userId, request.body);
      // Wrong fields are reported before the password is requested.
      checkNewToken(input);
      await requireConfirmation(deps, request);
      return reply.code(201).send(await created(deps, request, input));
    },
  );

  app.post(
    '/api/v4/users/:id/personal_access_tokens',
    {
      onRequest: deps.auth.requireAdmin('api'),
      preValidation: readGitlabForm,
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'Create a personal access token for a user, as an administrator',
        operationId: 'createTokenForUser',
        params: Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'Number of the user' }) }),
        body: NewToken,
        response: { 201: CreatedToken, 404: GitlabError },
      },
    },
    async (request, reply) => {
      const user = await existingUser(deps, Number(request.params.id));
      const input = inputOf(user.id, request.body);
      checkNewToken(input);
      await requirePersonally(deps, request);
      return reply.code(201).send(await created(deps, request, input));
    },
  );
  registerTokenRotation(app, deps);
}

function registerTokenRotation(app: App, deps: Deps): void {
  app.post(
    '/api/v4/personal_access_tokens/:id/rotate',
    {
      onRequest: deps.auth.require('self_rotate'),
      preValidation: readGitlabForm,
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'Replace a personal access token by a new one; the old one ends at once',
        operationId: 'rotateToken',
        params: TokenParams,
        querystring: Type.Object({ expires_at: Type.Optional(Day) }),
        body: TokenRotation,
        response: { 200: CreatedToken, 404: GitlabError, 405: GitlabError },
      },
    },
    async (request) => {
      const row = await reachableToken(deps, request.params.id, principalOf(request), []);
      // python-gitlab sends it in the query.
      const expiresAt = request.body.expires_at ?? request.query.expires_at ?? null;
      endOfRotatedToken(expiresAt, Date.now());
      await requirePersonally(deps, request);
      const rotated = await rotateToken(deps, row, expiresAt, actorOf(request));
      return { ...tokenShape(rotated.row, Date.now()), token: rotated.token };
    },
  );
}

async function created(deps: Deps, request: FastifyRequest, input: NewTokenInput): Promise<CreatedToken> {
  const { row, token } = await createToken(deps, input, actorOf(request));
  return { ...tokenShape(row, Date.now()), token };
}

function inputOf(userId: number, body: NewToken): NewTokenInput {
  const { name, description = '', scopes, expires_at: expiresAt = null } = body;
  return { userId, name, description, scopes, expiresAt };
}
