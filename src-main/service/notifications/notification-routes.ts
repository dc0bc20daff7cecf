import type { FastifyRequest } from 'fastify';
import { Type, type TObject, type TString, type TInteger } from 'typebox';
import { Problem } from '../contract/common.ts';
import {
  Deliveries,
  DeliveriesQuery,
  NewNotificationRule,
  NotificationChoices,
  NotificationRule,
  NotificationRuleInput,
  NotificationRules,
  NotificationTest,
} from '../contract/notifications/notifications.ts';
import { ProjectParams } from '../contract/projects.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { requireProject } from '../projects/require-role.ts';
import {
  changeRule,
  createRule,
  removeRule,
  requireRuleOf,
  rotateRuleSecret,
  type ChangeRulesDeps,
} from './change-rules.ts';
import { notificationChoices } from './notification-choices.ts';
import { deliveryShape, ruleShape } from './notification-shape.ts';
import type { NotificationRuleRow, RuleOwner } from './store/notification-rules-store.ts';
import { testRule, type TestRuleDeps } from './test-rule.ts';

export type NotificationRoutesDeps = ChangeRulesDeps & TestRuleDeps & { readonly auth: Authentication };

/** Where rules of one sort of owner are found. */
interface Place {
  readonly path: string;
  /** The path of one rule, below `path`. */
  readonly one: string;
  /** Of the project; empty for rules of the user who asks. */
  readonly params: TObject<{ id?: TString }>;
  readonly ruleParams: TObject<{ id: TString | TInteger; rule_id?: TInteger }>;
  readonly of: string;
  /** The operation of this place for one of users. */
  operation(ofUsers: string): string;
  /** @throws HttpProblem when the user may not see and change its rules. */
  owner(request: FastifyRequest): Promise<RuleOwner>;
  ruleId(request: FastifyRequest): number;
}

const tags = ['notifications'];
const RuleId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Routes of a user's own rules, and of those of projects for their maintainers. */
export function registerNotificationRoutes(app: App, deps: NotificationRoutesDeps): void {
  for (const place of [ofUser, ofProject(deps)]) {
    registerLists(app, deps, place);
    registerChanges(app, deps, place);
    registerSecrets(app, deps, place);
  }
  registerChoices(app, deps);
}

function registerChoices(app: App, { auth, settings }: NotificationRoutesDeps): void {
  app.get(
    '/api/v4/user/notifications/choices',
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'Facts of the service by which a rule is made',
        operationId: 'getNotificationChoices',
        response: { 200: NotificationChoices },
      },
    },
    async () => notificationChoices(settings, new Date()),
  );
}

const ofUser: Place = {
  path: '/api/v4/user/notifications',
  one: ':id',
  params: Type.Object({}),
  ruleParams: Type.Object({ id: RuleId }),
  of: 'own',
  operation: (ofUsers) => ofUsers,
  owner: async (request) => ({ user_id: principalOf(request).userId, project_id: null }),
  ruleId: (request) => (request.params as { id: number }).id,
};

/** The one place that decides who may see and change the rules of a project. */
function ofProject(deps: NotificationRoutesDeps): Place {
  return {
    path: '/api/v4/projects/:id/notifications',
    one: ':rule_id',
    params: ProjectParams,
    ruleParams: Type.Object({ ...ProjectParams.properties, rule_id: RuleId }),
    of: 'of a project',
    operation: (ofUsers) => `${ofUsers}OfProject`,
    owner: async (request) => {
      const { id } = await requireProject(deps, request as FastifyRequest<{ Params: { id: string } }>, 'maintainer');
      return { user_id: null, project_id: id };
    },
    ruleId: (request) => (request.params as { rule_id: number }).rule_id,
  };
}

async function ruleOf(
  deps: NotificationRoutesDeps,
  place: Place,
  request: FastifyRequest,
): Promise<NotificationRuleRow> {
  return requireRuleOf(deps, await place.owner(request), place.ruleId(request));
}

function registerLists(app: App, deps: NotificationRoutesDeps, place: Place): void {
  const { auth, notificationRules, deliveries } = deps;
  app.get(
    place.path,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: `Rules of what is told, ${place.of}`,
        operationId: place.operation('listNotificationRules'),
        params: place.params,
        response: { 200: NotificationRules },
      },
    },
    async (request) => {
      const rules = await notificationRules.ofOwner(await place.owner(request));
      const waiting = await deliveries.countWaitingOfRules(rules.map(({ id }) => id));
      return rules.map((rule) => ruleShape(rule, waiting.get(rule.id) ?? 0));
    },
  );
  app.get(
    `${place.path}/${place.one}/deliveries`,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'What a rule has sent in the last thirty days, and is to send, newest first',
        operationId: place.operation('listDeliveries'),
        params: place.ruleParams,
        querystring: DeliveriesQuery,
        response: { 200: Deliveries, 404: Problem },
      },
    },
    async (request) => {
      const rule = await ruleOf(deps, place, request);
      const { before = Number.MAX_SAFE_INTEGER, limit } = request.query;
      return (await deliveries.ofRule(rule.id, before, limit)).map(deliveryShape);
    },
  );
}

function registerChanges(app: App, deps: NotificationRoutesDeps, place: Place): void {
  const onRequest = deps.auth.require('api');
  app.post(
    place.path,
    {
      onRequest,
      schema: {
        tags,
        summary: `Tell of something, by a rule ${place.of}`,
        operationId: place.operation('createNotificationRule'),
        params: place.params,
        body: NotificationRuleInput,
        response: { 201: NewNotificationRule, 409: Problem, 422: Problem },
      },
    },
    async (request, reply) => {
      const by = actorOf(request);
      const { rule, secret } = await createRule(deps, await place.owner(request), request.body, by);
      return reply.code(201).send({ ...ruleShape(rule, 0), secret });
    },
  );
  app.put(
    `${place.path}/${place.one}`,
    {
      onRequest,
      schema: {
        tags,
        summary: `Change a rule, ${place.of}`,
        operationId: place.operation('changeNotificationRule'),
        params: place.ruleParams,
        body: NotificationRuleInput,
        response: { 200: NotificationRule, 404: Problem, 409: Problem, 422: Problem },
      },
    },
    async (request) => {
      const rule = await ruleOf(deps, place, request);
      const next = await changeRule(deps, rule, request.body, actorOf(request));
      return ruleShape(next, await deps.deliveries.countWaiting(next.id));
    },
  );
  app.delete(
    `${place.path}/${place.one}`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Remove a rule, with what it was to send',
        operationId: place.operation('removeNotificationRule'),
        params: place.ruleParams,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const rule = await ruleOf(deps, place, request);
      await removeRule(deps, rule, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function registerSecrets(app: App, deps: NotificationRoutesDeps, place: Place): void {
  const onRequest = deps.auth.require('api');
  app.post(
    `${place.path}/${place.one}/secret`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'A new secret for a webhook; for a day messages are signed with the old one as well',
        operationId: place.operation('rotateNotificationSecret'),
        params: place.ruleParams,
        response: { 200: Type.Object({ secret: Type.String() }), 404: Problem, 422: Problem },
      },
    },
    async (request) => {
      const rule = await ruleOf(deps, place, request);
      return { secret: await rotateRuleSecret(deps, rule, actorOf(request)) };
    },
  );
  app.post(
    `${place.path}/${place.one}/test`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Send a test message, and tell how that went',
        operationId: place.operation('testNotificationRule'),
        params: place.ruleParams,
        response: { 200: NotificationTest, 404: Problem },
      },
    },
    async (request) => testRule(deps, await ruleOf(deps, place, request)),
  );
}
