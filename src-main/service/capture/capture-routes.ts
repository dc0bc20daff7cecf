import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { CaptureChoices, CaptureRule, CaptureRuleInput, CaptureRules } from '../contract/capture/rules.ts';
import {
  CaptureChanged,
  CaptureHistory,
  CaptureRunActionRequest,
  CaptureRunPage,
  CaptureRunQuery,
  CaptureTrial,
} from '../contract/capture/runs.ts';
import { isoTime } from '../common/iso-time.ts';
import type { App } from '../http/app.ts';
import { actorOf } from '../http/actor-of.ts';
import type { Authentication } from '../http/authentication.ts';
import { captureChoices } from './naming/presets.ts';
import { ruleShape, runShape } from './capture-shape.ts';
import { actOnRuns, type ActOnRunsDeps } from './rules/act-on-runs.ts';
import {
  changeRule,
  createRule,
  pauseRule,
  removeRule,
  requireRuleById,
  type ChangeRulesDeps,
} from './rules/change-rules.ts';
import { tryRule, type TryRuleDeps } from './rules/try-rule.ts';
import { noCounts } from './store/capture-list-store.ts';
import type { CaptureRuleRow } from './store/capture-rows.ts';
import type { CaptureStores } from './store/stores.ts';

export type CaptureRoutesDeps = ActOnRunsDeps &
  ChangeRulesDeps &
  TryRuleDeps &
  CaptureStores & {
    readonly auth: Authentication;
    /** Has the folders read at once. */
    readonly wake: () => void;
  };

const tags = ['local'];
const Id = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const path = '/api/v4/local/captures';

/** Routes of watched folders. Only the owner's window may call them. */
export function registerCaptureRoutes(app: App, deps: CaptureRoutesDeps): void {
  registerRules(app, deps);
  registerRuleChanges(app, deps);
  registerRuns(app, deps);
}

async function shapeOf(deps: CaptureRoutesDeps, rule: CaptureRuleRow): Promise<CaptureRule> {
  const counts = await deps.captureList.counts();
  const server = rule.settings.push_to === null ? null : await deps.servers.byId(rule.settings.push_to);
  return ruleShape(rule, counts.get(rule.id), server?.name ?? null);
}

function registerRules(app: App, deps: CaptureRoutesDeps): void {
  const guarded = { onRequest: deps.auth.requireWindow, config: { windowOnly: true } } as const;
  app.get(
    path,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Rules of watched folders',
        operationId: 'listCaptureRules',
        response: { 200: CaptureRules },
      },
    },
    async () => {
      const [rules, counts, servers] = await Promise.all([
        deps.captureRules.all(),
        deps.captureList.counts(),
        deps.servers.all(),
      ]);
      const names = new Map(servers.map(({ id, name }) => [id, name]));
      return rules.map((rule) => ruleShape(rule, counts.get(rule.id), names.get(rule.settings.push_to ?? 0) ?? null));
    },
  );
  app.get(
    `${path}/choices`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Presets by instrument, and layouts of folders',
        operationId: 'getCaptureChoices',
        response: { 200: CaptureChoices },
      },
    },
    async () => captureChoices,
  );
  app.post(
    `${path}/try`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Show what a rule would register now, and why not',
        operationId: 'tryCaptureRule',
        querystring: Type.Object({ rule_id: Type.Optional(Id.properties.id) }),
        body: CaptureRuleInput,
        response: { 200: CaptureTrial, 422: Problem },
      },
    },
    async ({ body, query }) => tryRule(deps, body, query.rule_id ?? null),
  );
}

function registerRuleChanges(app: App, deps: CaptureRoutesDeps): void {
  const guarded = { onRequest: deps.auth.requireWindow, config: { windowOnly: true } } as const;
  app.post(
    path,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Watch a folder',
        operationId: 'createCaptureRule',
        body: CaptureRuleInput,
        response: { 201: CaptureRule, 409: Problem, 422: Problem },
      },
    },
    async (request, reply) => {
      const rule = await createRule(deps, request.body, actorOf(request));
      deps.wake();
      return reply.code(201).send(await shapeOf(deps, rule));
    },
  );
  app.put(
    `${path}/:id`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Change a rule',
        operationId: 'changeCaptureRule',
        params: Id,
        body: CaptureRuleInput,
        response: { 200: CaptureRule, 404: Problem, 409: Problem, 422: Problem },
      },
    },
    async (request) => {
      const rule = await requireRuleById(deps, request.params.id);
      const next = await changeRule(deps, rule, request.body, actorOf(request));
      deps.wake();
      return shapeOf(deps, next);
    },
  );
  app.delete(
    `${path}/:id`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Stop watching a folder; measurements and files stay',
        operationId: 'removeCaptureRule',
        params: Id,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      await removeRule(deps, await requireRuleById(deps, request.params.id), actorOf(request));
      return reply.code(204).send(null);
    },
  );
  for (const action of ['pause', 'resume'] as const)
    app.post(
      `${path}/:id/${action}`,
      {
        ...guarded,
        schema: {
          tags,
          summary: action === 'pause' ? 'Pause a rule' : 'Resume a rule',
          operationId: `${action}CaptureRule`,
          params: Id,
          response: { 200: CaptureRule, 404: Problem },
        },
      },
      async (request) => {
        const found = await requireRuleById(deps, request.params.id);
        const rule = await pauseRule(deps, found, action === 'pause', actorOf(request));
        deps.wake();
        return shapeOf(deps, rule);
      },
    );
}

function registerRuns(app: App, deps: CaptureRoutesDeps): void {
  const { captureList } = deps;
  const guarded = { onRequest: deps.auth.requireWindow, config: { windowOnly: true } } as const;
  app.get(
    `${path}/runs`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Runs in watched folders, those found last first',
        operationId: 'listCaptureRuns',
        querystring: CaptureRunQuery,
        response: { 200: CaptureRunPage },
      },
    },
    async ({ query: { rule_id: ruleId = null, filter = 'all', search = '', offset, limit } }) => {
      const { rows, total } = await captureList.page({ ruleId, filter, search, offset, limit });
      return { items: rows.map(runShape), total, counts: (await captureList.counts()).get(ruleId) ?? noCounts };
    },
  );
  app.get(
    `${path}/runs/:id/history`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'What happened to a run, newest first',
        operationId: 'getCaptureHistory',
        params: Id,
        response: { 200: CaptureHistory },
      },
    },
    async ({ params }) => (await captureList.history(params.id)).map(({ at, ...row }) => ({ at: isoTime(at), ...row })),
  );
  app.post(
    `${path}/runs/actions`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Register, retry, skip or keep runs',
        description: 'Runs to which the action does not apply stay as they are.',
        operationId: 'actOnCaptureRuns',
        body: CaptureRunActionRequest,
        response: { 200: CaptureChanged, 400: Problem, 409: Problem },
      },
    },
    async (request) => {
      const { body } = request;
      const changed = await actOnRuns(deps, body, actorOf(request));
      deps.events.emit('changed', { topic: 'captures' });
      deps.wake();
      return { changed };
    },
  );
}
