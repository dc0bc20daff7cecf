import { Type } from 'typebox';
import { CreatedToken, NewToken, PersonalAccessToken } from '../contract/accounts.ts';
import { PageQuery } from '../contract/common.ts';
import { GitlabError } from '../contract/gitlab-error.ts';
import { scopes as everyScope } from '../contract/scopes.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { setPageHeaders } from '../http/pagination.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import { createToken } from './create-token.ts';
import { insufficientScope, type Principal } from './principal.ts';
import { revokeToken } from './revoke-token.ts';
import { isActive, tokenShape } from './token-shape.ts';
import type { TokenRow } from './tokens-store.ts';

type Deps = Services & { readonly auth: Authentication; readonly baseUrl: () => string };

const errors = { 400: GitlabError, 401: GitlabError, 403: GitlabError, 404: GitlabError };
const TokenParams = Type.Object({
  id: Type.String({ pattern: '^(self|[1-9][0-9]{0,14})$', description: 'Number of the token, or "self": the token of this request' }),
});
const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.String({ maxLength: 200, default: '', description: 'Part of the name' }),
  state: Type.Optional(Type.Enum(['active', 'inactive'])),
});

/** Personal access tokens, as GitLab's API shapes them. Foreign and missing tokens are told apart by nobody. */
export function registerTokenRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/personal_access_tokens',
    {
      onRequest: deps.auth.require('read_api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: "The caller's personal access tokens, newest first",
        operationId: 'listTokens',
        querystring: ListQuery,
        response: { 200: Type.Array(PersonalAccessToken), 400: GitlabError, 401: GitlabError, 403: GitlabError },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const now = Date.now();
      const wanted = query.search.toLowerCase();
      const rows = (await deps.tokens.ofUser(principalOf(request).userId)).filter(
        (row) => row.name.toLowerCase().includes(wanted) && (query.state === undefined || isActive(row, now) === (query.state === 'active')),
      );
      setPageHeaders(request, reply, deps.baseUrl(), query.page, query.per_page, rows.length);
      return rows.slice((query.page - 1) * query.per_page, query.page * query.per_page).map((row) => tokenShape(row, now));
    },
  );

  app.get(
    '/api/v4/personal_access_tokens/:id',
    {
      // A token may always look at itself, so any scope does; looking at others is checked below.
      onRequest: deps.auth.require(...everyScope),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'One personal access token',
        operationId: 'getToken',
        params: TokenParams,
        response: { 200: PersonalAccessToken, ...errors },
      },
    },
    async (request) => tokenShape(await reachable(request.params.id, principalOf(request), 'read_api'), Date.now()),
  );

  app.post(
    '/api/v4/user/personal_access_tokens',
    {
      onRequest: deps.auth.require('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'Create a personal access token; only from the window or a signed-in browser',
        operationId: 'createToken',
        body: NewToken,
        response: { 201: CreatedToken, 400: GitlabError, 401: GitlabError, 403: GitlabError },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      if (principal.kind === 'token') {
        throw new HttpProblem(403, 'A token cannot create tokens. Create it in the window, in a signed-in browser, or with "benchport token create".');
      }
      const { name, description = '', scopes, expires_at: expiresAt = null } = request.body;
      const { row, token } = await createToken(deps, { userId: principal.userId, name, description, scopes, expiresAt }, principal.userId);
      return reply.code(201).send({ ...tokenShape(row, Date.now()), token });
    },
  );

  app.delete(
    '/api/v4/personal_access_tokens/:id',
    {
      onRequest: deps.auth.require(...everyScope),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'Revoke a personal access token: your own, any as an administrator, or the one in use',
        operationId: 'revokeToken',
        params: TokenParams,
        response: { 204: Type.Null(), ...errors },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      await revokeToken(deps, await reachable(request.params.id, principal, 'api'), principal.userId);
      return reply.code(204).send(null);
    },
  );

  async function reachable(id: string, principal: Principal, scope: 'api' | 'read_api'): Promise<TokenRow> {
    if (id === 'self' && principal.tokenId === null) throw new HttpProblem(400, 'This request carries no personal access token, so there is no "self".');
    const number = id === 'self' ? principal.tokenId : Number(id);
    const itself = number === principal.tokenId;
    if (!itself && !principal.scopes.has('api') && !principal.scopes.has(scope)) throw insufficientScope([scope]);
    const row = number === null ? null : await deps.tokens.byId(number);
    if (!row || (row.user_id !== principal.userId && !principal.isAdmin)) throw new HttpProblem(404, 'There is no such token.');
    return row;
  }
}
