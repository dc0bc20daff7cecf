import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HttpRequestError, statusFailure } from './http-request-error.ts';
import { nodeHttp, nodeHttps, sendNodeRequest, type HttpTimeouts } from './node-request.ts';
import { pinnedAgent } from './pinned-agent.ts';
import type { FetchSource } from '../types.ts';

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD';
  /**
   * Path and query below the base URL, starting with a slash; for manifest links see {@link
   * HttpClient.below}.
   */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * The start of a response. The caller reads the body to its end or destroys it; body errors become
 * HttpRequestErrors with `toHttpRequestError`.
 */
export interface HttpResponse {
  /** 200 to 299, or 416 for a range request. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * Emits Buffers. Fails if it ends early or if no data arrives within the idle timeout while it is
   * read.
   */
  readonly body: IncomingMessage;
  /** The URL after redirects. */
  readonly url: URL;
}

/** Sends a request to one server. @throws HttpRequestError, or the signal's reason */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The exact text of a request, for a caller with its own connection. */
export interface RawRequest {
  /** The server's base URL. */
  readonly url: URL;
  readonly certificate: string | null;
  readonly text: string;
  readonly timeouts: HttpTimeouts;
}

/** A client for one server that keeps connections alive. */
export interface HttpClient {
  readonly send: Send;
  /**
   * The request as text; null if the token has characters that cannot be sent as is. @throws
   * HttpRequestError
   */
  readonly rawRequest: (request: HttpRequest) => RawRequest | null;
  /**
   * The path of a manifest link below the base URL. Links of a server behind a path prefix may or
   * may not include the prefix.
   */
  readonly below: (href: string) => string;
  close(): void;
}

const defaultTimeouts: HttpTimeouts = { connectMs: 15_000, idleMs: 30_000 };
const maxRedirects = 5;
const plainPath = /^(?:\/[\w-]+)+$/;

/** Sends one request over its own connection. @throws HttpRequestError, or the signal's reason */
export async function sendOnce(source: FetchSource, request: HttpRequest): Promise<HttpResponse> {
  const client = createHttpClient(source, { connections: 1, keepAlive: false });
  return client.send(request);
}

/**
 * Creates a client for a server. The token is sent only to the origin of the base URL and below its
 * path.
 *
 * @throws HttpRequestError if the base URL is unusable.
 */
export function createHttpClient(
  source: FetchSource,
  options: { readonly connections: number; readonly keepAlive?: boolean; readonly timeouts?: HttpTimeouts },
): HttpClient {
  const base = baseOf(source);
  const timeouts = options.timeouts ?? defaultTimeouts;
  // LIFO, so that surplus connections stay idle and time out.
  const pool = {
    keepAlive: options.keepAlive ?? true,
    maxSockets: options.connections,
    scheduling: 'lifo',
    timeout: timeouts.idleMs,
  } as const;
  let agent: Agent | null = null;
  const newAgent = (): Agent =>
    base.protocol === 'http:'
      ? new (nodeHttp().Agent)(pool)
      : source.certificate === null
        ? new (nodeHttps().Agent)(pool)
        : pinnedAgent(pool, source.certificate);
  const fixed = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'Benchport',
    ...(source.token === null ? {} : { authorization: `Bearer ${source.token}` }),
  };
  const prefix = base.pathname === '/' ? '' : base.pathname;
  const addressOf = (request: HttpRequest): URL => within(base, `${prefix}${request.path}`);
  const isPlain = /^[\x21-\x7e]*$/.test(source.token ?? '');
  const fixedLines = headerLines({ host: base.host, ...fixed });
  return {
    below: (href) => (prefix !== '' && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href),
    rawRequest: (request) => {
      if (!isPlain) return null;
      // Such a path needs no URL normalisation and cannot leave the base path.
      const target = plainPath.test(request.path) ? `${prefix}${request.path}` : targetOf(addressOf(request));
      return {
        url: base,
        certificate: source.certificate,
        text: `GET ${target} HTTP/1.1\r\n${fixedLines}${headerLines(request.headers ?? {})}\r\n`,
        timeouts,
      };
    },
    send: async (request) => {
      let url = addressOf(request);
      for (let hops = 0; ; hops += 1) {
        const body = await sendNodeRequest(
          url,
          (agent ??= newAgent()),
          request,
          { ...request.headers, ...fixed },
          timeouts,
        );
        const status = body.statusCode ?? 0;
        if (status >= 300 && status < 400 && status !== 304 && body.headers.location !== undefined) {
          body.destroy();
          if (hops === maxRedirects) throw redirected(url.host, 'again and again');
          url = within(base, body.headers.location, url);
          continue;
        }
        return checkedResponse(body, url, request);
      }
    },
    close: () => agent?.destroy(),
  };
}

function baseOf(source: FetchSource): URL {
  const url = URL.canParse(source.baseUrl) ? new URL(source.baseUrl) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new HttpRequestError(
      'address-unusable',
      'unreachable',
      'The address of the server must begin with http:// or https:// and have no user, query or fragment.',
    );
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function targetOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/**
 * Resolves a location that may receive the token. @throws HttpRequestError if it is outside the
 * base URL
 */
function within(base: URL, location: string, from = base): URL {
  const url = URL.canParse(location, from.origin) ? new URL(location, from) : null;
  const prefix = base.pathname === '/' ? '/' : `${base.pathname}/`;
  // Percent-encoded dots and slashes count as well, because the server may decode them.
  const path = url === null ? '' : url.pathname.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/');
  if (url?.origin === base.origin && url.pathname.startsWith(prefix) && !path.split('/').includes('..')) return url;
  throw redirected(
    base.host,
    url === null || url.origin === base.origin ? 'away from its address' : `to ${url.origin}`,
  );
}

function redirected(host: string, where: string): HttpRequestError {
  return new HttpRequestError(
    'redirected',
    'redirected',
    `${host} redirects ${where}. That is not followed, because of the token: enter the server's real address.`,
  );
}

function checkedResponse(body: IncomingMessage, url: URL, request: HttpRequest): HttpResponse {
  const { headers, statusCode: status = 0 } = body;
  const coding = headers['content-encoding'];
  if ((status >= 200 && status < 300) || (status === 416 && request.headers?.['range'] !== undefined)) {
    if (coding === undefined || coding === 'identity') return { status, headers, body, url };
    body.destroy();
    throw new HttpRequestError(
      'coded',
      'bad-answer',
      `${url.host} sent an unexpected answer: it is compressed (${/^[\w-]{1,20}$/.test(coding) ? coding : 'unknown'}).`,
    );
  }
  body.destroy();
  throw statusFailure(status, headers, url.host);
}
