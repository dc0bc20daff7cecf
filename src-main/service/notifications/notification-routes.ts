import { Type } from 'typebox';
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
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import {
  changeRule,
  createRule,
  removeRule,
  requireOwnRule,
  rotateRuleSecret,
  type ChangeRulesDeps,
} from './change-rules.ts';
import { notificationChoices } from './notification-choices.ts';
import { deliveryShape, ruleShape } from './notification-shape.ts';
import { testRule, type TestRuleDeps } from './test-rule.ts';

export type NotificationRoutesDeps = ChangeRulesDeps & TestRuleDeps & { readonly auth: Authentication };

const tags = ['notifications'];
const Id = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const path = '/api/v4/user/notifications';

/** Routes of a user's own rules. */
export function registerNotificationRoutes(app: App, deps: NotificationRoutesDeps): void {
  registerLists(app, deps);
  registerChanges(app, deps);
  registerSecrets(app, deps);
}

function registerLists(app: App, deps: NotificationRoutesDeps): void {
  const { auth, notificationRules, deliveries } = deps;
  app.get(
    path,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'Own rules of what is told',
        operationId: 'listNotificationRules',
        response: { 200: NotificationRules },
      },
    },
    async (request) => {
      const rules = await notificationRules.ofUser(principalOf(request).userId);
      const waiting = await deliveries.countWaitingOfRules(rules.map(({ id }) => id));
      return rules.map((rule) => ruleShape(rule, waiting.get(rule.id) ?? 0));
    },
  );
  app.get(
    `${path}/choices`,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'Facts of the service by which a rule is made',
        operationId: 'getNotificationChoices',
        response: { 200: NotificationChoices },
      },
    },
    async () => notificationChoices(deps.settings, new Date()),
  );
  app.get(
    `${path}/:id/deliveries`,
    {
      onRequest: auth.require('read_api'),
      schema: {
        tags,
        summary: 'What a rule has sent in the last thirty days, and is to send, newest first',
        operationId: 'listDeliveries',
        params: Id,
        querystring: DeliveriesQuery,
        response: { 200: Deliveries, 404: Problem },
      },
    },
    async (request) => {
      const rule = await requireOwnRule(deps, principalOf(request).userId, request.params.id);
      const { before = Number.MAX_SAFE_INTEGER, limit } = request.query;
      return (await deliveries.ofRule(rule.id, before, limit)).map(deliveryShape);
    },
  );
}

function registerChanges(app: App, deps: NotificationRoutesDeps): void {
  const onRequest = deps.auth.require('api');
  app.post(
    path,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Be told of something',
        operationId: 'createNotificationRule',
        body: NotificationRuleInput,
        response: { 201: NewNotificationRule, 409: Problem, 422: Problem },
      },
    },
    async (request, reply) => {
      const by = actorOf(request);
      const { rule, secret } = await createRule(deps, principalOf(request).userId, request.body, by);
      return reply.code(201).send({ ...ruleShape(rule, 0), secret });
    },
  );
  app.put(
    `${path}/:id`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Change a rule',
        operationId: 'changeNotificationRule',
        params: Id,
        body: NotificationRuleInput,
        response: { 200: NotificationRule, 404: Problem, 409: Problem, 422: Problem },
      },
    },
    async (request) => {
      const rule = await requireOwnRule(deps, principalOf(request).userId, request.params.id);
      const next = await changeRule(deps, rule, request.body, actorOf(request));
      return ruleShape(next, await deps.deliveries.countWaiting(next.id));
    },
  );
  app.delete(
    `${path}/:id`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Remove a rule, with what it was to send',
        operationId: 'removeNotificationRule',
        params: Id,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const rule = await requireOwnRule(deps, principalOf(request).userId, request.params.id);
      await removeRule(deps, rule, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function registerSecrets(app: App, deps: NotificationRoutesDeps): void {
  const onRequest = deps.auth.require('api');
  app.post(
    `${path}/:id/secret`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'A new secret for a webhook; for a day messages are signed with the old one as well',
        operationId: 'rotateNotificationSecret',
        params: Id,
        response: { 200: Type.Object({ secret: Type.String() }), 404: Problem, 422: Problem },
      },
    },
    async (request) => {
      const rule = await requireOwnRule(deps, principalOf(request).userId, request.params.id);
      return { secret: await rotateRuleSecret(deps, rule, actorOf(request)) };
    },
  );
  app.post(
    `${path}/:id/test`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Send a test message, and tell how that went',
        operationId: 'testNotificationRule',
        params: Id,
        response: { 200: NotificationTest, 404: Problem },
      },
    },
    async (request) => testRule(deps, await requireOwnRule(deps, principalOf(request).userId, request.params.id)),
  );
}
