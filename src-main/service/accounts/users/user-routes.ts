import { Type } from 'typebox';
import { CurrentUser, ListedUser } from '../../contract/accounts.ts';
import { PageQuery, Problem } from '../../contract/common.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { readPage } from '../../http/pagination.ts';
import { currentUserShape } from './current-user-shape.ts';
import { existingUser } from '../store/existing-user.ts';
import { listedUserShape } from './listed-user-shape.ts';
import { userOf } from '../store/user-of.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'userList' | 'secondFactors'> & Pick<ServiceContext, 'auth' | 'baseUrl'>;

const ListQuery = Type.Object({
  ...PageQuery.properties,
  username: Type.Optional(Type.String({ maxLength: 255, description: 'The whole user name, regardless of case' })),
  search: Type.String({
    maxLength: 200,
    default: '',
    description: 'Part of the user name or of the full name; for administrators also an e-mail address',
  }),
  active: Type.Boolean({ default: false, description: 'Only active accounts' }),
  blocked: Type.Boolean({ default: false, description: 'Only blocked accounts' }),
});
const UserParams = Type.Object({ id: Type.Integer({ minimum: 1 }) });

/** GitLab-compatible routes for the caller and other users. */
export function registerUserRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/user',
    {
      onRequest: deps.auth.require('read_api', 'read_user'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['accounts'],
        summary: 'The user the credential belongs to',
        operationId: 'getCurrentUser',
        response: { 200: CurrentUser },
      },
    },
    async (request) => {
      const user = await userOf(deps, request);
      return currentUserShape(user, await deps.secondFactors.enabled(user.id), deps.baseUrl());
    },
  );

  app.get(
    '/api/v4/users',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['accounts'],
        summary: 'Users by user name',
        operationId: 'listUsers',
        querystring: ListQuery,
        response: { 200: Type.Array(ListedUser) },
      },
    },
    async (request, reply) => {
      const { page: _, per_page: __, ...filter } = request.query;
      const principal = principalOf(request);
      const rows = await readPage(request, reply, deps.baseUrl(), (limit, offset) =>
        deps.userList.page({ ...filter, byEmail: principal.isAdmin }, limit, offset),
      );
      return rows.map((row) => listedUserShape(row, principal, deps.baseUrl()));
    },
  );

  app.get(
    '/api/v4/users/:id',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['accounts'],
        summary: 'One user',
        operationId: 'getUser',
        params: UserParams,
        response: { 200: ListedUser, 404: Problem },
      },
    },
    async (request) =>
      listedUserShape(await existingUser(deps, request.params.id), principalOf(request), deps.baseUrl()),
  );
}
