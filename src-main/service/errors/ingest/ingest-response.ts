import type { FastifyBaseLogger, FastifyError } from 'fastify';
import { asProblem } from '../../http/server/error-handler.ts';
import type { HttpProblem } from '../../common/problem.ts';
import type { LimitedLog } from '../../logging/limited-log.ts';
import { IngestFailure } from '../normalise/ingest-failure.ts';

/** What a sender gets: JSON with headers, the names in small letters. */
export interface IngestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// On each answer, refusals too. What pages of every origin may do here, as Sentry's own servers allow it; the key in the request is all the credential there is.
export const ingestHeaders = {
  // Chromium drains a body that nobody reads only where a cache may store it: with `no-store` a page's fetches of the SDK hang after some twenty.
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

const json = { 'content-type': 'application/json' } as const;

/** Everything is on disk. */
export function acceptedResponse(id: string | null): IngestResponse {
  return { status: 200, headers: json, body: JSON.stringify(id === null ? {} : { id }) };
}

/** A failure in Sentry's shape; the log gets the reason. */
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
