import { Type } from 'typebox';
import { ProjectName } from '../contract/accounts.ts';
import { Problem } from '../contract/common.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Services } from '../services.ts';

type Deps = Services & { readonly auth: Authentication };

const searchLimit = 50;

/** Projects by name, for choosing whom to grant. */
export function registerProjectRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/projects',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['projects'],
        summary: 'Projects by path or name, at most 50',
        operationId: 'listProjects',
        querystring: Type.Object({ search: Type.String({ maxLength: 200, default: '', description: 'Part of the path or of the name' }) }),
        response: { 200: Type.Array(ProjectName), 400: Problem, 401: Problem, 403: Problem },
      },
    },
    async (request) => {
      const projects = await deps.projects.search(request.query.search, searchLimit);
      return projects.map(({ id, path, name }) => ({ id, path, name }));
    },
  );
}
