import type { FastifyBaseLogger, FastifyError } from 'fastify';
import { asProblem } from '../../http/server/error-handler.ts';
import type { HttpProblem } from '../../common/problem.ts';
import type { LimitedLog } from '../../logging/limited-log.ts';
import { IngestFailure } from '../normalise/ingest-failure.ts';

/** A response to an SDK: JSON; names of headers in lower case. */
export interface IngestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Sent with each response, including errors. Allows pages of every origin to send events, as
// Sentry's own servers do; the key in the request is the only credential.
export const ingestHeaders = {
  // Chromium drains an unread response body only if a cache may store it: with `no-store` an SDK's
  // fetches in a page hang after about twenty.
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

const json = { 'content-type': 'application/json' } as const;

/** Builds the response for a request whose events are all on disk. */
export function acceptedResponse(id: string | null): IngestResponse {
  return { status: 200, headers: json, body: JSON.stringify(id === null ? {} : { id }) };
}

/** Builds an error response in Sentry's format and logs the reason. */
export function rejectedResponse(
  error: FastifyError | HttpProblem | IngestFailure,
  log: FastifyBaseLogger,
  logRefusal: LimitedLog,
  projectId: string | undefined,
): IngestResponse {
  const retryAfter = error instanceof IngestFailure ? error.retryAfter : null;
  const { status, message } = error instanceof IngestFailure ? error : asProblem(error, { log });
  if (error instanceof IngestFailure && status !== 404)
    logRefusal(
      `${message} ${error.projectId ?? ''}`,
      { reason: message, project: error.projectId ?? projectId },
      'event not taken',
    );
  const headers = {
    ...json,
    'x-sentry-error': message,
    ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
  };
  return { status, headers, body: JSON.stringify({ detail: message, causes: [] }) };
}
