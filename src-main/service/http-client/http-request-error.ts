import type { IncomingHttpHeaders } from 'node:http';
import type { FetchReason } from '../contract/fetches.ts';
import { parseHttpDate } from '../http/semantics/http-date.ts';
import { connectionFailure, failureMessage, type ConnectionFailure, type HostNames } from './connection-failure.ts';

/**
 * The failure of a request, finer than its reason. With `status` the server refused with {@link
 * HttpRequestError.status}.
 */
export type HttpRequestFailure =
  | ConnectionFailure
  | 'address-unusable'
  | 'address-refused'
  | 'redirected'
  | 'coded'
  | 'bad-response'
  | 'status';

const reasons: Readonly<Record<Exclude<HttpRequestFailure, 'status'>, FetchReason>> = {
  'name-unknown': 'unreachable',
  refused: 'unreachable',
  unreachable: 'unreachable',
  'timed-out': 'unreachable',
  'no-tls': 'unreachable',
  'not-http': 'bad-answer',
  disconnected: 'unreachable',
  'token-unusable': 'token-refused',
  'certificate-untrusted': 'certificate',
  'certificate-not-pinned': 'certificate',
  'certificate-expired': 'certificate',
  'certificate-not-yet-valid': 'certificate',
  'certificate-revoked': 'certificate',
  'certificate-of-other-host': 'certificate',
  'address-unusable': 'unreachable',
  'address-refused': 'unreachable',
  redirected: 'redirected',
  coded: 'bad-answer',
  'bad-response': 'bad-answer',
};

/** A response whose status refuses the request. */
interface Refusal {
  readonly reason: FetchReason;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A failed request. Its message contains neither the token nor text from the server. */
export class HttpRequestError extends Error {
  readonly failure: HttpRequestFailure;
  readonly reason: FetchReason;
  /** From the server's Retry-After, at most one day. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** Headers of the refusal; empty if there was none. */
  readonly headers: IncomingHttpHeaders;

  constructor(failure: Exclude<HttpRequestFailure, 'status'> | Refusal, message: string) {
    super(message);
    this.name = 'HttpRequestError';
    const refusal = typeof failure === 'string' ? null : failure;
    this.failure = typeof failure === 'string' ? failure : 'status';
    this.reason = typeof failure === 'string' ? reasons[failure] : failure.reason;
    this.status = refusal?.status ?? null;
    this.headers = refusal?.headers ?? {};
    this.retryAfterMs = retryAfter(this.headers);
  }
}

const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/**
 * Parses Retry-After (RFC 9110 section 10.2.3): seconds, or a date relative to the server's clock.
 * Other values are ignored.
 */
function retryAfter({ 'retry-after': value, date }: IncomingHttpHeaders): number | null {
  if (value === undefined) return null;
  const at = parseHttpDate(value);
  const now = (date === undefined ? null : parseHttpDate(date)) ?? Date.now();
  const waitMs = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : at === null ? null : at - now;
  return waitMs === null ? null : Math.min(Math.max(waitMs, 0), maxRetryAfterMs);
}

/** Maps a connection error. An HttpRequestError is returned unchanged. */
export function toHttpRequestError(error: unknown, names: HostNames): HttpRequestError {
  return error instanceof HttpRequestError ? error : requestFailure(connectionFailure(error), names);
}

/** The error of a failed connection. */
export function requestFailure(failure: ConnectionFailure, names: HostNames): HttpRequestError {
  return new HttpRequestError(failure, failureMessage(failure, names));
}
