import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app.ts';
import { addRawHandler } from '../../http/server/raw-handler.ts';
import type { HttpProblem } from '../../common/problem.ts';
import { limitedLog } from '../../logging/limited-log.ts';
import { announceErrors } from './announce-errors.ts';
import { countDrops } from '../store/count-drops.ts';
import { eventPreparer } from './event-thread.ts';
import { ingestEnvelope, ingestStore, type IngestDeps, type IngestRequest } from './ingest.ts';
import { ingestHeaders, rejectedResponse, acceptedResponse, type IngestResponse } from './ingest-response.ts';
import type { IngestFailure } from '../normalise/ingest-failure.ts';
import { IngestLimits } from './ingest-limits.ts';
import { defaultIngestLimits } from '../../config/ingest-limit-settings.ts';
import { fastIngest, type FastIngestDeps } from './fast-ingest.ts';
import { sessionRecorder } from '../sessions/record-sessions.ts';
import { RequestBatches } from '../events/request-batches.ts';
import { userHasher } from '../events/user-hash.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

const Accepted = Type.Object({
  id: Type.Optional(Type.String({ description: 'Of the event, 32 hexadecimal digits' })),
});
const Refused = Type.Object({ detail: Type.String(), causes: Type.Array(Type.String()) });
const OfProject = Type.Object({ id: Type.String({ description: 'Number of the project' }) });
const base = '/api/v4/error_tracking/collector/api/:id';

const preflight = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage',
  'access-control-max-age': '3600',
};

/**
 * Registers the routes that SDKs send errors to: `store` takes one event, `envelope` several items.
 * They are a plugin of their own, because `RequestBody` reads their bodies as they are received.
 */
export async function registerIngestRoutes(
  app: App,
  deps: Pick<ProjectStores, 'projects'> &
    Pick<ErrorStores, 'clientKeys' | 'errorEvents' | 'releaseSessions' | 'ingestCounts'> &
    Pick<ServiceContext, 'cluster' | 'diskSpace' | 'events' | 'log' | 'secrets'> & {
      readonly config: ServiceConfig;
    } & Pick<FastIngestDeps, 'hostAllowed' | 'proxies' | 'metrics'>,
): Promise<void> {
  const hashUser = userHasher(deps.secrets);
  const drops = countDrops(deps.ingestCounts, deps.log);
  const batches = new RequestBatches();
  const preparer = eventPreparer(batches);
  const ingestDeps: IngestDeps = {
    log: deps.log,
    logRefusal: limitedLog(deps.log),
    clientKeys: deps.clientKeys,
    limits: new IngestLimits({ ...defaultIngestLimits, ...deps.config.ingestLimits }, undefined, () =>
      deps.cluster.live(),
    ),
    batches,
    diskSpace: deps.diskSpace,
    drops,
    events: deps.errorEvents,
    sessions: sessionRecorder(deps.releaseSessions, drops, hashUser),
    prepare: async (body, context) => preparer.prepare(body, context),
    hashUser,
    announce: announceErrors(deps),
  };
  addRawHandler(
    app,
    fastIngest({ ...ingestDeps, hostAllowed: deps.hostAllowed, proxies: deps.proxies, metrics: deps.metrics }),
  );
  await app.register(async (plain) => {
    const part = plain.withTypeProvider<TypeBoxTypeProvider>();
    part.addHook('onRequest', (request, reply, done) => {
      reply.headers(ingestHeaders);
      // SDKs send many content types or none; all mean the same. `RequestBody` reads the body.
      request.raw.headers['content-type'] = 'application/octet-stream';
      done();
    });
    part.addHook('onClose', async () => {
      await preparer.close();
      await drops.stop();
    });
    part.removeAllContentTypeParsers();
    part.addContentTypeParser('*', (_request, _payload, done) => done(null));
    part.setErrorHandler<FastifyError | HttpProblem | IngestFailure>((error, request, reply) =>
      send(reply, rejectedResponse(error, request.log, ingestDeps.logRefusal, projectOf(request))),
    );

    registerAddresses(part, ingestDeps);
  });
}

function registerAddresses(part: App, ingestDeps: IngestDeps): void {
  for (const [kind, ingest, summary] of [
    ['store', ingestStore, 'Take an event of an SDK'],
    ['envelope', ingestEnvelope, 'Take an envelope of an SDK: events, sessions; other items are counted'],
  ] as const) {
    part.post(
      `${base}/${kind}`,
      {
        // Ingested events are counted by hour and outcome, and refusals are logged separately.
        config: { reads: true, body: 'own-reader' },
        schema: {
          tags: ['errors'],
          summary,
          description:
            'Answered when it is on disk. The client key is in the query (sentry_key), in X-Sentry-Auth, or in the header of the envelope.',
          operationId: kind === 'store' ? 'storeEvent' : 'takeEnvelope',
          params: OfProject,
          response: { 200: Accepted, 400: Refused, 404: Refused, 413: Refused, 415: Refused, 429: Refused },
          security: [],
        },
      },
      async (request, reply) =>
        send(reply, acceptedResponse(await ingest(ingestDeps, ingestRequest(request, request.params.id)))),
    );
    part.options(`${base}/${kind}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.code(204).headers(preflight).send(),
    );
  }
}

function ingestRequest(request: FastifyRequest, projectId: string): IngestRequest {
  return { raw: request.raw, url: request.url, projectId, address: request.ip };
}

function send(reply: FastifyReply, { status, headers, body }: IngestResponse): FastifyReply {
  return (
    reply
      .code(status)
      // Set again, because a request rejected before this plugin's own hook, for example for a
      // wrong host, would have the headers of the rest of the API.
      .headers({ ...ingestHeaders, ...headers })
      .serializer((text: string) => text)
      .send(body)
  );
}

function projectOf(request: FastifyRequest): string | undefined {
  return /\/api\/(\d{1,20})\//.exec(request.url)?.[1];
}
