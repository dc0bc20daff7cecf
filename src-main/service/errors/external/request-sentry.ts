import { parseJson } from '../../common/parse-json.ts';
import { failureMessage } from '../../http-client/connection-failure.ts';
import { sendOnce } from '../../http-client/http-client.ts';
import { HttpRequestError } from '../../http-client/http-request-error.ts';
import type { HttpResponse } from '../../http-client/http-response.ts';
import type { OutgoingGuard } from '../../http-client/outgoing-guard.ts';
import { readText } from '../../http-client/read-text.ts';
import { externalFailure, ExternalFailure, notSentry } from './external-failure.ts';
import type { SentryAddress } from './sentry-address.ts';

/** A server with the token that was given for exactly this origin. */
export interface SentryServer extends SentryAddress {
  readonly token: string;
  /** Decides whether it may be reached. */
  readonly guard: OutgoingGuard;
}

export interface SentryRequest {
  readonly method?: 'GET' | 'PUT';
  /** Path below `/api/0/`, with its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface SentryResponse {
  readonly status: number;
  readonly json: unknown;
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

const timeoutMs = 10_000;
// The limit that GitLab uses.
const maxResponseBytes = 1024 * 1024;

/**
 * Sends a request to a Sentry-compatible server. Redirects are not followed, so the token is sent
 * only to the server it was given for. Each request has its own connection, so that none stays open
 * with a token that may have changed.
 *
 * @returns responses with status 200 to 299, and 404, which the caller interprets.
 * @throws ExternalFailure for every other outcome.
 */
export async function requestSentry(server: SentryServer, request: SentryRequest): Promise<SentryResponse> {
  const url = new URL(server.base);
  if (url.origin !== server.origin) throw new Error('the address leaves the origin of the token');
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(server, request, signal);
    return { status: response.status, json: await readJson(response), next: nextCursor(response.headers['link']) };
  } catch (error) {
    if (error instanceof ExternalFailure) throw error;
    if (signal.aborted) throw new ExternalFailure('timeout', failureMessage('timed-out', url));
    if (!(error instanceof HttpRequestError)) throw error;
    if (error.status === 404) return { status: 404, json: null, next: null };
    throw externalFailure(error, url);
  }
}

async function send(
  { base, token, guard }: SentryServer,
  { method = 'GET', path, query = {}, body }: SentryRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const text = body === undefined ? null : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  };
  return sendOnce(
    { baseUrl: `${base}/api/0`, token, certificate: null },
    {
      method,
      path: `/${path}?${new URLSearchParams(query).toString()}`,
      headers,
      signal,
      ...(text === null ? {} : { body: text }),
    },
    { lookup: guard.lookupFor(new URL(base)), maxRedirects: 0, timeouts: { connectMs: timeoutMs, idleMs: timeoutMs } },
  );
}

/** @returns null for an empty body. */
async function readJson(response: HttpResponse): Promise<unknown> {
  const { host } = response.url;
  const text = await readText(response, maxResponseBytes);
  if (text === null)
    throw new ExternalFailure(
      'too-large',
      `${host} sent more than 1 MiB, which is too long for an answer of Sentry. Check the API URL.`,
    );
  const json = text === '' ? null : parseJson(text);
  if (text !== '' && json === null) throw notSentry(host);
  return json;
}

/**
 * Reads Sentry's Link header: only `results="true"` means that there is a next page. Uses the
 * cursor, never the address.
 */
function nextCursor(link: string | string[] | undefined): string | null {
  for (const part of String(link ?? '').split(/,\s*(?=<)/)) {
    if (/;\s*rel="next"/.test(part) && /;\s*results="true"/.test(part))
      return /;\s*cursor="([^"]{1,200})"/.exec(part)?.[1] ?? null;
  }
  return null;
}
