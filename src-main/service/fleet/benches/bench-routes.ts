import { Type } from 'typebox';
import type { AuditStores } from '../../audit/stores.ts';
import { HttpProblem, invalidRequest } from '../../common/problem.ts';
import { Problem } from '../../contract/common.ts';
import { Bench, BenchChange, BenchDetail, BenchQuery, BenchSummary } from '../../contract/fleet/fleet.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import type { Actor } from '../../http/principal.ts';
import { offsetOf, setPageHeaders } from '../../http/pagination.ts';
import { hasUnseen } from '../../common/unseen-characters.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import type { BenchRow } from '../store/bench-row.ts';
import type { FleetStores } from '../store/stores.ts';
import { benchDetailShape, benchShape, summaryShape } from './bench-shape.ts';

export type BenchRoutesDeps = Pick<FleetStores, 'benches' | 'benchList'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl'> & {
    /** Of this server. */
    readonly version: string;
    readonly changed: (id: string) => void;
  };

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const path = '/api/v4/fleet/benches';
const tags = ['fleet'];

/** Routes of the benches that report to this server; administrators only. */
export function registerBenchRoutes(app: App, deps: BenchRoutesDeps): void {
  registerLists(app, deps);
  registerChanges(app, deps);
}

function registerLists(app: App, deps: BenchRoutesDeps): void {
  const { benchList, version } = deps;
  const onRequest = deps.auth.requireAdmin('read_api');
  app.get(
    path,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Benches that report to this server; administrators',
        operationId: 'listBenches',
        querystring: BenchQuery,
        response: { 200: Type.Array(Bench) },
      },
    },
    async (request, reply) => {
      const { page, per_page: perPage, filter, search, sort, order } = request.query;
      const listing = { filter, search, sort, order, offset: offsetOf(request.query), limit: perPage };
      const { rows, total } = await benchList.page(listing);
      setPageHeaders(request, reply, deps.baseUrl(), page, perPage, total);
      return rows.map((row) => benchShape(row, version));
    },
  );
  app.get(
    '/api/v4/fleet',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Numbers of benches by what they need; administrators',
        operationId: 'getFleet',
        response: { 200: BenchSummary },
      },
    },
    async () => summaryShape(await benchList.numbers()),
  );
  app.get(
    `${path}/:id`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'One bench; administrators',
        operationId: 'getBench',
        params: Params,
        response: { 200: BenchDetail, 404: Problem },
      },
    },
    async ({ params }) => benchDetailShape(await requireBench(deps, params.id), version),
  );
}

function registerChanges(app: App, deps: BenchRoutesDeps): void {
  const onRequest = deps.auth.requireAdmin('api');
  app.patch(
    `${path}/:id`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Name a bench, note something about it, or say when its silence is unusual; administrators',
        operationId: 'changeBench',
        params: Params,
        body: BenchChange,
        response: { 200: BenchDetail, 404: Problem },
      },
    },
    async (request) => {
      const { id } = request.params;
      await changeBench(deps, id, request.body, actorOf(request));
      return benchDetailShape(await requireBench(deps, id), deps.version);
    },
  );
  app.delete(
    `${path}/:id`,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Forget a bench; one that still reports appears again; administrators',
        operationId: 'removeBench',
        params: Params,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      await removeBench(deps, await requireBench(deps, request.params.id), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

/** @throws HttpProblem 404, or 400 for a name that cannot be seen. */
async function changeBench(deps: BenchRoutesDeps, id: string, change: BenchChange, actor: Actor): Promise<void> {
  const bench = await requireBench(deps, id);
  const name = typeof change.name === 'string' ? change.name.trim() : change.name;
  if (typeof name === 'string' && (name === '' || hasUnseen(name)))
    throw invalidRequest('The name must have characters that can be seen, and no others.');
  await deps.benches.change(bench.id, { ...change, ...(name === undefined ? {} : { name }) });
  const detail = Object.keys(change).join(', ');
  await deps.audit.record({ ...actor, action: 'bench.change', subject: `bench:${id}`, detail });
  deps.changed(id);
}

/** Forgets a bench. */
export async function removeBench(
  deps: Pick<BenchRoutesDeps, 'benches' | 'audit' | 'changed'>,
  bench: BenchRow,
  actor: Actor,
): Promise<void> {
  await deps.benches.remove(bench.id);
  const detail = bench.own_name ?? bench.report.name;
  await deps.audit.record({ ...actor, action: 'bench.remove', subject: `bench:${bench.id}`, detail });
  deps.changed(bench.id);
}

async function requireBench({ benchList }: Pick<BenchRoutesDeps, 'benchList'>, id: string): Promise<BenchRow> {
  const bench = await benchList.byId(id);
  if (!bench) throw new HttpProblem(404, 'There is no bench with this id.');
  return bench;
}
