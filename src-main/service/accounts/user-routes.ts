import { Type } from 'typebox';
import { CurrentUser, UserName } from '../contract/accounts.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Services } from '../services.ts';
import { currentUserShape } from './current-user-shape.ts';
import { userOf } from './user-of.ts';

type Deps = Services & { readonly auth: Authentication; readonly baseUrl: () => string };

const SearchQuery = Type.Object({ search: Type.String({ maxLength: 200, default: '', description: 'Part of the user name or of the full name' }) });
const searchLimit = 50;

/** The caller, in GitLab's shape, and users by name for choosing whom to grant. */
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
        summary: 'Active users by name, at most 50',
        operationId: 'listUsers',
        querystring: SearchQuery,
        response: { 200: Type.Array(UserName) },
      },
    },
    async (request) => {
      const users = await deps.users.search(request.query.search, searchLimit);
      return users.map(({ id, username, name }) => ({ id, username, name }));
    },
  );
}
