import type { IncomingHttpHeaders } from 'node:http';
import type { FetchReason } from '../../../contract/fetches.ts';
import { parseHttpDate } from '../../../http/semantics/http-date.ts';

/**
 * The failure of a request, finer than its reason. With `status` the server refused with {@link
 * HttpRequestError.status}.
 */
export type HttpRequestFailure =
  | 'address-unusable'
  | 'name-unknown'
  | 'refused'
  | 'unreachable'
  | 'timed-out'
  | 'disconnected'
  | 'certificate'
  | 'no-tls'
  | 'not-http'
  | 'redirected'
  | 'coded'
  | 'status';

/** A failed request. Its message contains neither the token nor text from the server. */
export class HttpRequestError extends Error {
  readonly failure: HttpRequestFailure;
  readonly reason: FetchReason;
  /** From the server's Retry-After, at most one day. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** Headers of the refusal; empty if there was none. */
  readonly headers: IncomingHttpHeaders;

  constructor(
    failure: HttpRequestFailure,
    reason: FetchReason,
    message: string,
    refusal?: { readonly status: number; readonly headers: IncomingHttpHeaders },
  ) {
    super(message);
    this.name = 'HttpRequestError';
    this.failure = failure;
    this.reason = reason;
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

/** Maps a status code to its reason and message. */
export function statusFailure(status: number, headers: IncomingHttpHeaders, host: string): HttpRequestError {
  const [reason, message] = meaningOf(status, headers, host);
  return new HttpRequestError('status', reason, message, { status, headers });
}

function meaningOf(status: number, headers: IncomingHttpHeaders, host: string): readonly [FetchReason, string] {
  switch (status) {
    case 401:
      return [
        'token-refused',
        `${host} does not accept the token (401): it is missing, wrong, expired or revoked. Enter another one.`,
      ];
    case 403:
      return headers['www-authenticate']?.includes('insufficient_scope') === true
        ? [
            'no-access',
            `The token for ${host} may not do this (403). It needs one of the scopes read_measurement, read_api or api.`,
          ]
        : ['no-access', `${host} denies access to this (403). Ask its owner for access.`];
    case 404:
    case 410:
      return ['not-found', `Not found on ${host} (${status}). It may have been removed there.`];
    case 409:
      return [
        'file-changed',
        `${host} does not serve this because it has changed since it was registered (409). Its owner has to restore and verify it.`,
      ];
    case 421:
      return ['unreachable', `${host} does not answer to this name (421). Use the address that its owner gives.`];
    case 429:
    case 503:
      return ['server-busy', `${host} is busy (${status}).`];
    default:
      return status >= 500
        ? ['server-failed', `${host} failed (${status}). If this persists, tell its owner.`]
        : ['bad-answer', `${host} answered with the unexpected status ${status}.`];
  }
}

/** Maps a connection error by its Node error code. An HttpRequestError is returned unchanged. */
export function toHttpRequestError(error: unknown, url: URL): HttpRequestError {
  if (error instanceof HttpRequestError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { host } = url;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA')
    return new HttpRequestError(
      'name-unknown',
      'unreachable',
      `No host named ${url.hostname} can be found. Check the address, and the name server of this machine.`,
    );
  if (code === 'ECONNREFUSED')
    return new HttpRequestError(
      'refused',
      'unreachable',
      `${host} refuses connections. Check that the server runs, and the port in its address.`,
    );
  if (
    code === 'EHOSTUNREACH' ||
    code === 'ENETUNREACH' ||
    code === 'EADDRNOTAVAIL' ||
    code === 'EHOSTDOWN' ||
    code === 'ENETDOWN'
  )
    return new HttpRequestError(
      'unreachable',
      'unreachable',
      `${host} cannot be reached from this machine. Check the network, and any firewall in between.`,
    );
  if (code === 'ETIMEDOUT') return timeoutError(host);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new HttpRequestError(
      'no-tls',
      'unreachable',
      `${host} does not answer with TLS. If it is a plain http server, begin its address with http://.`,
    );
  if (code.startsWith('HPE_'))
    return new HttpRequestError(
      'not-http',
      'bad-answer',
      `The program at ${host} is not a working HTTP server. Check the port in the address.`,
    );
  if (code.startsWith('ERR_INVALID_CHAR'))
    return new HttpRequestError(
      'status',
      'token-refused',
      `The token for ${host} has characters that are not allowed in a token.`,
    );
  const certificate = certificateFaults[code];
  if (certificate !== undefined)
    return new HttpRequestError('certificate', 'certificate', `The certificate of ${host} ${certificate}`);
  return new HttpRequestError(
    'disconnected',
    'unreachable',
    `${host} closed the connection before everything had arrived.`,
  );
}

export function timeoutError(host: string): HttpRequestError {
  return new HttpRequestError('timed-out', 'unreachable', `${host} did not respond in time.`);
}

const notTrusted =
  'is not trusted by this machine. If it is the one that the owner of the server names, trust exactly this certificate.';
const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_UNTRUSTED: notTrusted,
  CERT_HAS_EXPIRED: 'has expired. It has to be renewed on the server; check also the clock of this machine.',
  CERT_NOT_YET_VALID: 'is not valid yet. Check the clocks of the server and of this machine.',
  CERT_REVOKED: 'has been revoked. It has to be renewed on the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name. Use the name that it was made for.',
};
