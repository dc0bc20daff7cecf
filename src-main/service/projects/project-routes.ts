import { Type } from 'typebox';
import { ProjectName } from '../contract/accounts.ts';
import { Problem } from '../contract/common.ts';
import { NewProject, ProjectChange, ProjectParams, Project } from '../contract/projects.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import type { Principal } from '../http/principal.ts';
import { changeProject } from './change-project.ts';
import { createProject } from './create-project.ts';
import { registerMemberRoutes } from './member-routes.ts';
import { projectShape } from './project-shape.ts';
import { removeProject } from './remove-project.ts';
import { requireProject } from './require-role.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects' | 'members'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events'>;

const searchLimit = 50;

/** Routes for projects. A project is invisible to users who are not members. */
export function registerProjectRoutes(app: App, deps: Deps): void {
  registerProjectLists(app, deps);

  app.get(
    '/api/v4/projects/:id',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['projects'],
        summary: 'One project',
        operationId: 'getProject',
        params: ProjectParams,
        response: { 200: Project, 404: Problem },
      },
    },
    async (request) => {
      const { id } = await requireProject(deps, request, 'reporter');
      return shapeOf(deps, id, principalOf(request));
    },
  );
  registerProjectChanges(app, deps);
  registerMemberRoutes(app, deps);
}

function registerProjectLists(app: App, deps: Deps): void {
  app.get(
    '/api/v4/projects',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['projects'],
        summary: "The caller's projects by path or name, at most 50; all projects for an administrator",
        operationId: 'listProjects',
        querystring: Type.Object({
          search: Type.String({ maxLength: 200, default: '', description: 'Part of the path or of the name' }),
        }),
        response: { 200: Type.Array(ProjectName) },
      },
    },
    async (request) => {
      const { userId, isAdmin } = principalOf(request);
      const projects = await deps.projects.search(request.query.search, isAdmin ? null : userId, searchLimit);
      return projects.map(({ id, path, name }) => ({ id, path, path_with_namespace: path, name }));
    },
  );

  app.get(
    '/api/v4/projects/mine',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['projects'],
        summary: 'All projects that the caller may see, by path, with what they may do in them',
        operationId: 'listMyProjects',
        response: { 200: Type.Array(Project) },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return (await deps.projects.overviews(principal.userId, principal.isAdmin)).map((row) =>
        projectShape(row, principal),
      );
    },
  );
}

function registerProjectChanges(app: App, deps: Deps): void {
  app.post(
    '/api/v4/projects',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['projects'],
        summary: 'Add a project, as an administrator; its first owner is the caller',
        operationId: 'createProject',
        body: NewProject,
        response: { 201: Project, 409: Problem },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const input = { path: request.body.path, name: request.body.name?.trim() ?? null, ownerId: principal.userId };
      const { id } = await createProject(deps, input, actorOf(request));
      return reply.code(201).send(await shapeOf(deps, id, principal));
    },
  );

  app.patch(
    '/api/v4/projects/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['projects'],
        summary: 'Rename a project, or switch Monitor on or off; needs the role maintainer',
        operationId: 'changeProject',
        params: ProjectParams,
        body: ProjectChange,
        response: { 200: Project, 404: Problem },
      },
    },
    async (request) => {
      const project = await requireProject(deps, request, 'maintainer');
      await changeProject(deps, project, request.body, actorOf(request));
      return shapeOf(deps, project.id, principalOf(request));
    },
  );

  app.delete(
    '/api/v4/projects/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['projects'],
        summary: 'Remove a project with its errors, keys and grants; needs the role owner',
        operationId: 'removeProject',
        params: ProjectParams,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const project = await requireProject(deps, request, 'owner');
      await removeProject(deps, project, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

async function shapeOf(deps: Deps, id: number, principal: Principal): Promise<Project> {
  const row = await deps.projects.overview(principal.userId, id);
  if (!row) throw new HttpProblem(404, 'This project has just been removed.');
  return projectShape(row, principal);
}
