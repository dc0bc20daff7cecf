import { Type } from 'typebox';
import { ListedToken, PersonalAccessToken, TokenAssociations, TokenListQuery } from '../../contract/accounts.ts';
import { PageQuery } from '../../contract/common.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { scopes as everyScope } from '../../contract/scopes.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { setPageHeaders } from '../../http/pagination.ts';
import { refusedToApplications } from '../../http/application-rights.ts';
import { listTokens, withOwners } from './list-tokens.ts';
import { reachableToken, selfToken, TokenParams } from './reachable-token.ts';
import { revokeToken } from '../revoke-token.ts';
import { associationsOf } from '../../projects/token-associations.ts';
import { registerTokenIssueRoutes } from './token-issue-routes.ts';
import { tokenShape } from '../token-shape.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { TokenStores } from '../stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> &
  TokenStores &
  Pick<ProjectStores, 'projects'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events'>;

const errors = { 404: GitlabError, 405: GitlabError };

/**
 * Personal access tokens in the shapes of GitLab's API. Only an administrator can distinguish a
 * foreign token from a missing one.
 */
export function registerTokenRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/personal_access_tokens',
    {
      onRequest: deps.auth.require('read_api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: "The caller's personal access tokens, newest first; those of all users for an administrator",
        operationId: 'listTokens',
        querystring: TokenListQuery,
        response: { 200: Type.Array(ListedToken), 404: GitlabError },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const now = Date.now();
      const { rows, total } = await listTokens(deps, query, principalOf(request), now);
      setPageHeaders(request, reply, deps.baseUrl(), query.page, query.per_page, { total });
      const tokens = rows.map((row) => tokenShape(row, now));
      return principalOf(request).isAdmin ? withOwners(deps, tokens) : tokens;
    },
  );
  registerOneToken(app, deps);

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
      const row = await reachableToken(deps, request.params.id, principalOf(request), []);
      if (principalOf(request).kind === 'oauth') throw refusedToApplications();
      await revokeToken(deps, row, actorOf(request));
      return reply.code(204).send(null);
    },
  );
  registerTokenIssueRoutes(app, deps);
}

function registerOneToken(app: App, deps: Deps): void {
  app.get(
    '/api/v4/personal_access_tokens/:id',
    {
      // A token may always read itself, so any scope suffices; access to others is checked below.
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
    async (request) =>
      tokenShape(await reachableToken(deps, request.params.id, principalOf(request), ['read_api']), Date.now()),
  );

  app.get(
    '/api/v4/personal_access_tokens/self/associations',
    {
      onRequest: deps.auth.require(...everyScope),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['tokens'],
        summary: 'The projects that the user of this token is a member of',
        operationId: 'getTokenAssociations',
        querystring: Type.Object({
          ...PageQuery.properties,
          min_access_level: Type.Optional(Type.Integer({ description: '20 reporter to 50 owner' })),
        }),
        response: { 200: TokenAssociations, ...errors },
      },
    },
    async (request, reply) => {
      const { page, per_page: perPage, min_access_level: least = 0 } = request.query;
      const principal = principalOf(request);
      await selfToken(deps, principal);
      const projects = associationsOf(await deps.projects.ofMember(principal.userId), least, deps.baseUrl());
      setPageHeaders(request, reply, deps.baseUrl(), page, perPage, projects.length);
      return { groups: [], projects: projects.slice((page - 1) * perPage, page * perPage) };
    },
  );
}
