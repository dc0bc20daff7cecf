import type { FastifyError } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AtOnce } from '../../http/server/answer-first.ts';
import { mostHeaders } from '../../http/server/door-limits.ts';
import type { Metrics } from '../../metrics/health-metrics.ts';
import { lazyLogger } from '../../http/server/lazy-logger.ts';
import { timesSent } from '../../http/semantics/times-sent.ts';
import type { TrustedProxies } from '../../http/server/trusted-proxies.ts';
import { ingestHeaders, notTaken, taken, type IngestAnswer } from './ingest-answer.ts';
import { ingestEnvelope, ingestStore, type IngestNeeds } from './ingest.ts';

export interface QuickIngestNeeds extends IngestNeeds {
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly proxies: TrustedProxies;
  readonly metrics: Metrics;
}

const address = /^\/api\/v4\/error_tracking\/collector\/api\/(\d{1,20})\/(envelope|store)\/?(?:\?|$)/;

/**
 * Takes events ahead of the router: hooks, schemas and the reply object cost as much as a third of storing a small event. It is for the address as SDKs
 * write it; every other one, and everything while each request has a line in the log, goes the ordinary way, with the same answers.
 */
export function quickIngest(needs: QuickIngestNeeds): AtOnce {
  return (request, response) => {
    if (request.method !== 'POST' || request.rawHeaders.length > 2 * mostHeaders || needs.log.isLevelEnabled('debug')) return false;
    const place = address.exec(request.url ?? '');
    if (!place || !needs.hostAllowed(request.headers.host) || timesSent(request, 'host') > 1) return false;
    void take(needs, request, response, place[1] ?? '', place[2] === 'store' ? ingestStore : ingestEnvelope);
    return true;
  };
}

async function take(needs: QuickIngestNeeds, raw: IncomingMessage, response: ServerResponse, projectId: string, ingest: typeof ingestStore): Promise<void> {
  const reqId = randomUUID();
  let answer: IngestAnswer;
  try {
    answer = taken(await ingest(needs, { raw, url: raw.url ?? '', projectId, address: needs.proxies.clientOf(raw) ?? '' }));
  } catch (error) {
    answer = notTaken(error as FastifyError, lazyLogger(needs.log, { reqId }), needs.logRefusal, projectId);
  }
  needs.metrics.count('POST', answer.status);
  const length = Buffer.byteLength(answer.body);
  response.writeHead(answer.status, { ...ingestHeaders, ...answer.headers, 'x-request-id': reqId, 'content-length': length });
  response.end(answer.body);
}
