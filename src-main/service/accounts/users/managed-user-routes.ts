import { Type } from 'typebox';
import { ManagedUser, ManagedUserChange, ManagedUserSort, NewManagedUser } from '../../contract/account-security.ts';
import { PageQuery, Problem } from '../../contract/common.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { readPage } from '../../http/pagination.ts';
import { HttpProblem } from '../../common/problem.ts';
import { changeUser, checkUserChange } from './change-user.ts';
import { checkNewUser, createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { existingUser } from '../store/existing-user.ts';
import { managedUserShapes } from './managed-user-shape.ts';
import { requirePersonally } from '../confirmation/require-confirmation.ts';
import { requireSecondFactor } from '../confirmation/require-second-factor.ts';
import { resetSecondFactors } from './reset-second-factors.ts';
import { setUserState } from './set-user-state.ts';
import type { AccountStores } from '../store/stores.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { OAuthStores } from '../../oauth/store/stores.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = AccountStores &
  TokenStores &
  Pick<OAuthStores, 'oauth'> &
  Pick<MeasurementStores, 'grants'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events' | 'passwords' | 'settings'>;

const errors = { 404: Problem, 409: Problem };
const UserParams = Type.Object({ id: Type.Integer({ minimum: 1 }) });
const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.String({
    maxLength: 200,
    default: '',
    description: 'Part of the user name, the full name or the e-mail address',
  }),
  state: Type.Optional(Type.Enum(['active', 'blocked'])),
  sort: Type.Optional(ManagedUserSort),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});

/** Account administration; administrators only. */
export function registerManagedUserRoutes(app: App, deps: Deps): void {
  registerListAndCreation(app, deps);
  registerUserChanges(app, deps);
  registerUserRemoval(app, deps);
}

function registerListAndCreation(app: App, deps: Deps): void {
  const admin = { onRequest: deps.auth.requireAdmin('api') };

  app.get(
    '/api/v4/users/managed',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['accounts'],
        summary: 'All accounts, by user name unless asked otherwise; administrators',
        operationId: 'listManagedUsers',
        querystring: ListQuery,
        response: { 200: Type.Array(ManagedUser) },
      },
    },
    async (request, reply) => {
      const { search, state = null, sort = 'username', order = 'asc' } = request.query;
      const rows = await readPage(request, reply, deps.baseUrl(), (limit, offset) =>
        deps.users.page({ search, state }, { sort, order }, limit, offset),
      );
      // Yields to the event loop before the further queries.
      await new Promise(setImmediate);
      return managedUserShapes(deps, rows);
    },
  );

  app.post(
    '/api/v4/users',
    {
      ...admin,
      schema: {
        tags: ['accounts'],
        summary: 'Add an account; administrators',
        operationId: 'createUser',
        body: NewManagedUser,
        response: { 201: ManagedUser, 409: Problem, 503: Problem },
      },
    },
    async (request, reply) => {
      const { username, name, email = null, password = null, admin: isAdmin = false } = request.body;
      const input = { username, name, email, password, isAdmin };
      if (isAdmin) {
        // Wrong fields are reported before the password is requested.
        await checkNewUser(deps, input);
        await requirePersonally(deps, request);
      }
      const user = await createUser(deps, input, actorOf(request));
      return reply.code(201).send(await shapeOf(deps, user.id));
    },
  );
}

function registerUserChanges(app: App, deps: Deps): void {
  const admin = { onRequest: deps.auth.requireAdmin('api') };

  app.put(
    '/api/v4/users/:id',
    {
      ...admin,
      schema: {
        tags: ['accounts'],
        summary: 'Change an account; a new password signs its user out everywhere; administrators',
        operationId: 'changeUser',
        params: UserParams,
        body: ManagedUserChange,
        response: { 200: ManagedUser, ...errors, 503: Problem },
      },
    },
    async (request) => {
      const user = await existingUser(deps, request.params.id);
      if (request.body.password !== undefined || request.body.admin === true) {
        await checkUserChange(deps, user, request.body, actorOf(request));
        await requirePersonally(deps, request);
      }
      await changeUser(deps, user, request.body, actorOf(request));
      return shapeOf(deps, user.id);
    },
  );
  for (const [verb, state] of [
    ['block', 'blocked'],
    ['unblock', 'active'],
  ] as const) {
    app.post(
      `/api/v4/users/:id/${verb}`,
      {
        ...admin,
        schema: {
          tags: ['accounts'],
          summary:
            verb === 'block'
              ? 'Block an account; everything of it stops at once'
              : 'Let a blocked or locked account in again',
          operationId: `${verb}User`,
          params: UserParams,
          response: { 201: ManagedUser, ...errors },
        },
      },
      async (request, reply) => {
        const user = await existingUser(deps, request.params.id);
        await setUserState(deps, user, state, actorOf(request));
        return reply.code(201).send(await shapeOf(deps, user.id));
      },
    );
  }
}

function registerUserRemoval(app: App, deps: Deps): void {
  const admin = { onRequest: deps.auth.requireAdmin('api') };

  app.patch(
    '/api/v4/users/:id/disable_two_factor',
    {
      ...admin,
      schema: {
        tags: ['accounts'],
        summary: 'Take the second factors away from a user who has lost them; administrators',
        operationId: 'disableTwoFactor',
        params: UserParams,
        response: { 204: Type.Null(), ...errors },
      },
    },
    async (request, reply) => {
      const user = await existingUser(deps, request.params.id);
      await requirePersonally(deps, request);
      if (principalOf(request).kind === 'session') await requireSecondFactor(deps, request);
      if (!(await resetSecondFactors(deps, user, actorOf(request)))) {
        throw new HttpProblem(400, `${user.username} signs in without a second factor.`, { type: 'no-second-factor' });
      }
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/v4/users/:id',
    {
      ...admin,
      schema: {
        tags: ['accounts'],
        summary: 'Delete an account that owns no measurements, with everything of it; administrators',
        operationId: 'deleteUser',
        params: UserParams,
        response: { 204: Type.Null(), ...errors },
      },
    },
    async (request, reply) => {
      await deleteUser(deps, await existingUser(deps, request.params.id), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

async function shapeOf(deps: Deps, id: number): Promise<ManagedUser> {
  const [shape] = await managedUserShapes(deps, [await existingUser(deps, id)]);
  if (!shape) throw new Error('no shape of an existing user');
  return shape;
}
