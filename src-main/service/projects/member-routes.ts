import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { existingUser } from '../accounts/store/existing-user.ts';
import { Problem } from '../contract/common.ts';
import { NewRole, ProjectParams, ProjectMember } from '../contract/projects.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import { accessLevels } from './token-associations.ts';
import { changeMember, removeMember, type ActingMember } from './change-member.ts';
import { findProject } from './find-project.ts';
import type { MemberRow } from './members-store.ts';
import type { ProjectRow } from './projects-store.ts';
import { requireProject, requireRole, roleIn } from './require-role.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects' | 'members'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events'>;

const MemberParams = Type.Object({
  ...ProjectParams.properties,
  user_id: Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'Number of the user' }),
});

/** Routes for the members of a project and their roles. */
export function registerMemberRoutes(app: App, deps: Deps): void {
  // There are no inherited members here, so GitLab's "all" is an equal list.
  for (const [address, operation] of [
    ['/api/v4/projects/:id/members', 'ProjectMember'],
    ['/api/v4/projects/:id/members/all', 'AnyProjectMember'],
  ] as const) {
    app.get(
      address,
      {
        onRequest: deps.auth.require('read_api'),
        schema: {
          tags: ['projects'],
          summary: 'The members of a project, by user name',
          operationId: `list${operation}s`,
          params: ProjectParams,
          response: { 200: Type.Array(ProjectMember), 404: Problem },
        },
      },
      async (request) => {
        const project = await requireProject(deps, request, 'reporter');
        return (await deps.members.all(project.id)).map((member) => memberShape(member, deps.baseUrl()));
      },
    );

    app.get(
      `${address}/:user_id`,
      {
        onRequest: deps.auth.require('read_api'),
        schema: {
          tags: ['projects'],
          summary: 'One member of a project',
          operationId: `get${operation}`,
          params: MemberParams,
          response: { 200: ProjectMember, 404: Problem },
        },
      },
      async (request) => {
        const project = await requireProject(deps, request, 'reporter');
        const user = await existingUser(deps, Number(request.params.user_id));
        const role = await deps.projects.roleOf(project.id, user.id);
        if (role === null) throw new HttpProblem(404, `${user.username} is not a member of ${project.path}.`);
        return memberShape({ ...user, role }, deps.baseUrl());
      },
    );
  }
  registerMemberChanges(app, deps);
}

function registerMemberChanges(app: App, deps: Deps): void {
  app.put(
    '/api/v4/projects/:id/members/:user_id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['projects'],
        summary:
          'Make a user a member, or give a member another role; needs the role maintainer, and owner where it is about owners',
        operationId: 'setProjectMember',
        params: MemberParams,
        body: NewRole,
        response: { 200: ProjectMember, 404: Problem, 409: Problem },
      },
    },
    async (request) => {
      const project = await requireProject(deps, request, 'maintainer');
      const user = await existingUser(deps, Number(request.params.user_id));
      await changeMember(deps, project, user, request.body.role, await actingIn(deps, request, project));
      return memberShape({ ...user, role: request.body.role }, deps.baseUrl());
    },
  );

  app.delete(
    '/api/v4/projects/:id/members/:user_id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['projects'],
        summary: 'End a membership: your own, or any with the role maintainer',
        operationId: 'removeProjectMember',
        params: MemberParams,
        response: { 204: Type.Null(), 404: Problem, 409: Problem },
      },
    },
    async (request, reply) => {
      const themselves = Number(request.params.user_id) === principalOf(request).userId;
      const project = await requireRole(
        deps,
        request,
        await findProject(deps, request.params.id),
        themselves ? 'reporter' : 'maintainer',
      );
      await removeMember(
        deps,
        project,
        await existingUser(deps, Number(request.params.user_id)),
        await actingIn(deps, request, project),
      );
      return reply.code(204).send(null);
    },
  );
}

async function actingIn(deps: Deps, request: FastifyRequest, project: ProjectRow): Promise<ActingMember> {
  const role = await roleIn(deps, principalOf(request), project);
  return { ...actorOf(request), role: role ?? 'reporter' };
}

function memberShape({ id, username, name, state, role }: MemberRow, baseUrl: string): ProjectMember {
  const gitlab = { state, avatar_url: null, web_url: `${baseUrl}/${username}`, expires_at: null };
  return { id, username, name, role, access_level: accessLevels[role], ...gitlab };
}
