import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/common.ts';
import { BenchReportTaken, maxReportBytes, SignedBenchReport } from '../../contract/fleet/fleet.ts';
import { shareOfLimit } from '../../database/cluster/share-of-limit.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { requireLimit } from '../../http/require-limit.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import { openReport, receiveReport, type ReceiveDeps } from './receive-report.ts';

export type ReportRouteDeps = ReceiveDeps & Pick<ServiceContext, 'cluster'> & { readonly auth: Authentication };

const timeWindow = 60_000;
/** A bench reports once a minute, and at once what is important. */
const maxOfBench = 30;
/** As many benches as a user may have report with one token. */
const maxOfUser = 2000;

/** The route by which benches report. */
export function registerReportRoute(app: App, deps: ReportRouteDeps): void {
  const benches = new WeakMap<FastifyRequest, string>();
  const ofUser = app.createRateLimit({
    max: () => shareOfLimit(maxOfUser, deps.cluster),
    timeWindow,
    keyGenerator: (request) => `bench reports of ${request.principal?.userId ?? ''}`,
  });
  const ofBench = app.createRateLimit({
    max: () => shareOfLimit(maxOfBench, deps.cluster),
    timeWindow,
    keyGenerator: (request) => `bench report ${benches.get(request) ?? ''}`,
  });
  app.post(
    '/api/v4/fleet/reports',
    {
      onRequest: deps.auth.require('write_measurement'),
      bodyLimit: maxReportBytes,
      config: { unconfirmed: true },
      schema: {
        tags: ['fleet'],
        summary: 'Report of a bench about itself',
        description:
          'Sent by benches about once a minute with the token that they push with, signed with their own key.',
        operationId: 'reportBench',
        body: SignedBenchReport,
        response: { 200: BenchReportTaken, 409: Problem, 413: Problem, 422: Problem, 429: Problem },
      },
    },
    async (request) => {
      await requireLimit(request, [ofUser]);
      const { userId } = principalOf(request);
      const actor = { ...actorOf(request), userId };
      const sent = { signed: request.body.report, host: request.headers.host ?? '', actor };
      const verified = await openReport(deps, sent);
      benches.set(request, verified.benchId);
      await requireLimit(request, [ofBench]);
      return receiveReport(deps, verified, actor, Date.now());
    },
  );
}
