import type { FastifyError } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawHandler } from '../../http/server/raw-handler.ts';
import { maxHeaders } from '../../http/server/listener-limits.ts';
import type { Metrics } from '../../metrics/health-metrics.ts';
import { lazyLogger } from '../../http/server/lazy-logger.ts';
import { timesSent } from '../../http/semantics/times-sent.ts';
import type { TrustedProxies } from '../../http/server/trusted-proxies.ts';
import { ingestHeaders, rejectedResponse, acceptedResponse, type IngestResponse } from './ingest-response.ts';
import { ingestEnvelope, ingestStore, type IngestDeps } from './ingest.ts';

export interface FastIngestDeps extends IngestDeps {
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly proxies: TrustedProxies;
  readonly metrics: Metrics;
}

const address = /^\/api\/v4\/error_tracking\/collector\/api\/(\d{1,20})\/(envelope|store)\/?(?:\?|$)/;

/**
 * Handles events before the router, whose hooks, schemas and reply object cost as much as a third
 * of storing a small event. It serves only the address as SDKs write it; all others, and all
 * requests while debug logging is on, take the ordinary route, with the same responses.
 */
export function fastIngest(deps: FastIngestDeps): RawHandler {
  return (request, response) => {
    if (request.method !== 'POST' || request.rawHeaders.length > 2 * maxHeaders || deps.log.isLevelEnabled('debug'))
      return false;
    const place = address.exec(request.url ?? '');
    if (!place || !deps.hostAllowed(request.headers.host) || timesSent(request, 'host') > 1) return false;
    void take(deps, request, response, place[1] ?? '', place[2] === 'store' ? ingestStore : ingestEnvelope);
    return true;
  };
}

async function take(
  deps: FastIngestDeps,
  raw: IncomingMessage,
  response: ServerResponse,
  projectId: string,
  ingest: typeof ingestStore,
): Promise<void> {
  const reqId = randomUUID();
  let result: IngestResponse;
  try {
    result = acceptedResponse(
      await ingest(deps, { raw, url: raw.url ?? '', projectId, address: deps.proxies.clientOf(raw) ?? '' }),
    );
  } catch (error) {
    result = rejectedResponse(error as FastifyError, lazyLogger(deps.log, { reqId }), deps.logRefusal, projectId);
  }
  deps.metrics.count('POST', result.status);
  const length = Buffer.byteLength(result.body);
  response.writeHead(result.status, {
    ...ingestHeaders,
    ...result.headers,
    'x-request-id': reqId,
    'content-length': length,
  });
  response.end(result.body);
}
