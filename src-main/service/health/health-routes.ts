import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import type { Metrics } from '../metrics/health-metrics.ts';
import { readinessCheck } from './health-readiness.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { EndCheck } from '../maintenance/end-check.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ServiceContext, 'auth' | 'cluster' | 'diskSpace' | 'events' | 'log' | 'settings'> & {
  readonly config: ServiceConfig;
  readonly endCheck: EndCheck;
};

const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health', title: 'Health' });
const Readiness = Type.Object(
  {
    status: Type.Enum(['ok', 'failing']),
    database: Type.String(),
    disk: Type.String(),
    integrity: Type.String(),
    replica: Type.Optional(Type.String()),
  },
  {
    $id: 'Readiness',
    title: 'Readiness',
    description: 'Each check is "ok", possibly with a remark after a colon, or the problem and what to do',
  },
);

/** Counts every request. Call on the whole application, before its routes. */
export function countRequests(app: App, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.count(request.method, reply.statusCode);
    done();
  });
}

/** The routes of monitors: liveness, readiness, and metrics. */
export function registerHealthRoutes(app: App, deps: Deps, metrics: Metrics): void {
  const ready = readinessCheck({ ...deps, draining: app.draining });
  const unsubscribe = deps.events.subscribe((_name, event) => {
    if ('up_clients' in event) metrics.rates(event.up_bytes_per_second, event.up_clients);
  });

  app.addHook('onClose', async () => {
    unsubscribe();
    metrics.stop();
  });

  app.get(
    '/-/health',
    {
      schema: {
        tags: ['health'],
        summary: 'Whether the service is alive',
        operationId: 'getHealth',
        response: { 200: Health },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { status: 'ok' as const };
    },
  );

  app.get(
    '/-/readiness',
    {
      schema: {
        tags: ['health'],
        summary: 'Whether the database can be written and the disk has room',
        operationId: 'getReadiness',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const checks = await ready();
      const failing = Object.values(checks).some((check) => !/^ok\b/.test(check));
      return reply
        .code(failing ? 503 : 200)
        .header('cache-control', 'no-store')
        .send({ status: failing ? 'failing' : 'ok', ...checks });
    },
  );
  registerMetricsRoute(app, deps, metrics);
}

function registerMetricsRoute(app: App, deps: Deps, metrics: Metrics): void {
  app.get(
    '/-/metrics',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['health'],
        summary: 'Numbers for Prometheus; needs the token of an administrator',
        operationId: 'getMetrics',
        response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .type('text/plain; version=0.0.4; charset=utf-8')
        .serializer((text: string) => text)
        .send(await metrics.text()),
  );
}
