import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { CaptureChoices, CaptureRule, CaptureRuleInput, CaptureRules } from '../contract/capture/rules.ts';
import { CaptureTrial } from '../contract/capture/runs.ts';
import type { App } from '../http/app.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { actorOf } from '../http/actor-of.ts';
import { captureChoices } from './naming/presets.ts';
import { ruleShape } from './capture-shape.ts';
import {
  changeRule,
  createRule,
  pauseRule,
  removeRule,
  requireRuleById,
  type ChangeRulesDeps,
} from './rules/change-rules.ts';
import { tryRule, type TryRuleDeps } from './rules/try-rule.ts';
import { registerRuns, type RunRoutesDeps } from './run-routes.ts';
import type { CaptureRuleRow } from './store/capture-rows.ts';

export type CaptureRoutesDeps = RunRoutesDeps & ChangeRulesDeps & TryRuleDeps;

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
  const guarded = windowRoutes(deps.auth);
  app.get(
    path,
    guarded({
      summary: 'Rules of watched folders',
      operationId: 'listCaptureRules',
      response: { 200: CaptureRules },
    }),
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
    guarded({
      summary: 'Presets by instrument, and layouts of folders',
      operationId: 'getCaptureChoices',
      response: { 200: CaptureChoices },
    }),
    async () => captureChoices,
  );
  app.post(
    `${path}/try`,
    guarded({
      summary: 'Show what a rule would register now, and why not',
      operationId: 'tryCaptureRule',
      querystring: Type.Object({ rule_id: Type.Optional(Id.properties.id) }),
      body: CaptureRuleInput,
      response: { 200: CaptureTrial, 422: Problem },
    }),
    async ({ body, query }) => tryRule(deps, body, query.rule_id ?? null),
  );
}

function registerRuleChanges(app: App, deps: CaptureRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    path,
    guarded({
      summary: 'Watch a folder',
      operationId: 'createCaptureRule',
      body: CaptureRuleInput,
      response: { 201: CaptureRule, 409: Problem, 422: Problem },
    }),
    async (request, reply) => {
      const rule = await createRule(deps, request.body, actorOf(request));
      deps.wake();
      return reply.code(201).send(await shapeOf(deps, rule));
    },
  );

  app.put(
    `${path}/:id`,
    guarded({
      summary: 'Change a rule',
      operationId: 'changeCaptureRule',
      params: Id,
      body: CaptureRuleInput,
      response: { 200: CaptureRule, 404: Problem, 409: Problem, 422: Problem },
    }),
    async (request) => {
      const rule = await requireRuleById(deps, request.params.id);
      const next = await changeRule(deps, rule, request.body, actorOf(request));
      deps.wake();
      return shapeOf(deps, next);
    },
  );
  registerRuleRemoval(app, deps);
  registerRuleActions(app, deps);
}

function registerRuleRemoval(app: App, deps: CaptureRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  app.delete(
    `${path}/:id`,
    guarded({
      summary: 'Stop watching a folder; measurements and files stay',
      operationId: 'removeCaptureRule',
      params: Id,
      response: { 204: Type.Null(), 404: Problem },
    }),
    async (request, reply) => {
      await removeRule(deps, await requireRuleById(deps, request.params.id), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function registerRuleActions(app: App, deps: CaptureRoutesDeps): void {
  const guarded = windowRoutes(deps.auth);

  for (const action of ['pause', 'resume'] as const)
    app.post(
      `${path}/:id/${action}`,
      guarded({
        summary: action === 'pause' ? 'Pause a rule' : 'Resume a rule',
        operationId: `${action}CaptureRule`,
        params: Id,
        response: { 200: CaptureRule, 404: Problem },
      }),
      async (request) => {
        const found = await requireRuleById(deps, request.params.id);
        const rule = await pauseRule(deps, found, action === 'pause', actorOf(request));
        deps.wake();
        return shapeOf(deps, rule);
      },
    );
}
