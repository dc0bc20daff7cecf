import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { http } from '../../common/node-http.ts';
import { connectionFailure, ExternalFailure, notSentry, timedOut } from './external-failure.ts';
import { isForbiddenAddress, lookUpElsewhere } from './forbidden-addresses.ts';
import type { SentryAddress } from './sentry-address.ts';

/** A server with the token that was given for exactly this origin. */
export interface SentryServer extends SentryAddress {
  readonly token: string;
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
 * only to the server it was given for.
 *
 * @returns responses with status 200 to 204, and 404, which the caller interprets.
 * @throws ExternalFailure for every other outcome.
 */
export async function requestSentry(server: SentryServer, request: SentryRequest): Promise<SentryResponse> {
  const url = new URL(`${server.base}/api/0/${request.path}`);
  if (url.origin !== server.origin) throw new Error('the address leaves the origin of the token');
  if (isForbiddenAddress(url.hostname))
    throw new ExternalFailure(
      'unreachable',
      `${url.hostname} is an address of the local link or of a cloud's metadata service, and Benchport does not connect there. Check the API URL.`,
    );
  url.search = new URLSearchParams(request.query).toString();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(url, server.token, request, signal);
    const { statusCode: status = 0, headers } = response;
    if (status !== 404 && (status < 200 || status > 204)) {
      response.destroy();
      throw statusFailure(status, url, headers.location);
    }
    const text = await readText(response, url);
    return { status, json: status === 404 || text === '' ? null : parse(text, url), next: nextCursor(headers.link) };
  } catch (error) {
    if (error instanceof ExternalFailure) throw error;
    throw signal.aborted ? timedOut(url) : connectionFailure(error, url);
  }
}

async function send(url: URL, token: string, request: SentryRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Benchport',
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    // A new connection for each request, so that none stays open with a token that may have
    // changed.
    const options = {
      method: request.method ?? 'GET',
      headers,
      signal,
      agent: false,
      lookup: lookUpElsewhere,
    } as const;
    const sent = url.protocol === 'https:' ? https.request(url, options) : http.request(url, options);
    sent.on('response', resolve).on('error', reject).end(body);
  });
}

async function readText(response: IncomingMessage, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxResponseBytes) {
      response.destroy();
      throw new ExternalFailure(
        'too-large',
        `${url.host} sent more than 1 MiB, which is too long for an answer of Sentry. Check the API URL.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string, url: URL): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notSentry(url.host);
  }
}

function statusFailure(status: number, url: URL, location: string | undefined): ExternalFailure {
  if (status === 401)
    return new ExternalFailure(
      'token-refused',
      `${url.host} does not accept the auth token (401). Check the token, or create a new one there.`,
    );
  if (status === 403)
    return new ExternalFailure(
      'forbidden',
      `The auth token may not do this at ${url.host} (403). It needs the scopes project:read, event:read and event:write.`,
    );
  if (status === 429)
    return new ExternalFailure('limited', `${url.host} accepts no more requests for now (429). Try again in a while.`);
  if (status >= 300 && status < 400) {
    const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url.href).origin : null;
    const hint = to === null || to === url.origin ? '' : ` to ${to}`;
    return new ExternalFailure(
      'redirect',
      `${url.host} redirects${hint}. Redirects are not followed, because of the token: enter the server's real address.`,
    );
  }
  return new ExternalFailure(
    'status',
    `${url.host} answered with the status ${status}.${status >= 500 ? ' Check that server, and try again.' : ''}`,
  );
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
