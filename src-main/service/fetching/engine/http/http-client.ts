import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { toHttpRequestError, HttpRequestError, statusFailure, timeoutError } from './http-request-error.ts';
import { pinnedAgent } from './pinned-agent.ts';
import type { FetchSource } from '../types.ts';

// Loaded when they are first needed: plain answers are read without them (lane.ts), and they take longer to load than many a fetch.
const http = () => process.getBuiltinModule('node:http');
const https = () => process.getBuiltinModule('node:https');

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD';
  /** Path and query below the base URL, beginning with a slash; see {@link HttpClient.below} for the links of a manifest. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An answer that begins. Whoever asked reads the body to its end or destroys it; its errors become AskErrors with `asAskError`. */
export interface HttpResponse {
  /** 200 to 299, or 416 when a range was asked for. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of Buffers, as they came. A body that ends early fails, and so does one that is silent for too long while it is being read. */
  readonly body: IncomingMessage;
  /** Where it came from, after redirects. */
  readonly url: URL;
}

/** Asks one server. @throws AskError, or the reason of the signal. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** What goes over a connection for a request, for whoever has one. */
export interface RawRequest {
  /** Of the server. */
  readonly url: URL;
  readonly certificate: string | null;
  readonly text: string;
  readonly timeouts: HttpTimeouts;
}

/** Connections to one server that are kept for the next request. */
export interface HttpClient {
  readonly send: Send;
  /** A request as it would be sent; null where that would not be plain text. @throws AskError */
  readonly rawRequest: (request: HttpRequest) => RawRequest | null;
  /** The path of a manifest's link below the base URL. A server behind a path prefix may leave the prefix out of its links, or not. */
  readonly below: (href: string) => string;
  close(): void;
}

/** Milliseconds without a sign of life, at first and later. */
export interface HttpTimeouts {
  readonly connectMs: number;
  readonly idleMs: number;
}

const defaultTimeouts: HttpTimeouts = { connectMs: 15_000, idleMs: 30_000 };
const maxRedirects = 5;
const plainPath = /^(?:\/[\w-]+)+$/;

/** One exchange on a connection of its own. @throws AskError, or the reason of the signal. */
export async function sendOnce(source: FetchSource, request: HttpRequest): Promise<HttpResponse> {
  const client = createHttpClient(source, { connections: 1, keepAlive: false });
  return client.send(request);
}

/**
 * Starts asking a server: with its token, which goes to the origin and below the path of the base URL and nowhere else.
 *
 * @throws AskError when the base URL cannot be used.
 */
export function createHttpClient(
  source: FetchSource,
  options: { readonly connections: number; readonly keepAlive?: boolean; readonly timeouts?: HttpTimeouts },
): HttpClient {
  const base = baseOf(source);
  const timeouts = options.timeouts ?? defaultTimeouts;
  // The last one used is the first to be used again, so that those too many are closed by their silence.
  const pool = {
    keepAlive: options.keepAlive ?? true,
    maxSockets: options.connections,
    scheduling: 'lifo',
    timeout: timeouts.idleMs,
  } as const;
  let agent: Agent | null = null;
  const newAgent = (): Agent =>
    base.protocol === 'http:'
      ? new (http().Agent)(pool)
      : source.certificate === null
        ? new (https().Agent)(pool)
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
      // Nothing in such a path has another form in an address, or leads elsewhere.
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
        const body = await exchange(url, (agent ??= newAgent()), request, { ...request.headers, ...fixed }, timeouts);
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

/** An address that the token may go to. @throws AskError when it lies elsewhere. */
function within(base: URL, location: string, from = base): URL {
  const url = URL.canParse(location, from.origin) ? new URL(location, from) : null;
  const prefix = base.pathname === '/' ? '/' : `${base.pathname}/`;
  // Dots may be hidden in percent signs, which the other side takes away.
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

/** A kept connection may be closed by the server at the very moment: then the request has gone nowhere, and is made once more (RFC 9112 section 9.3.1). */
class StaleSocket extends Error {}

async function exchange(
  url: URL,
  agent: Agent,
  request: HttpRequest,
  headers: Record<string, string>,
  timeouts: HttpTimeouts,
): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await exchangeOnce(url, agent, request, headers, timeouts);
    } catch (error) {
      // Each such connection is gone then, so this comes to an end.
      if (!(error instanceof StaleSocket)) throw error;
    }
  }
}

async function exchangeOnce(
  url: URL,
  agent: Agent,
  request: HttpRequest,
  headers: Record<string, string>,
  timeouts: HttpTimeouts,
): Promise<IncomingMessage> {
  const { method = 'GET', signal } = request;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent, timeout: timeouts.idleMs } as const;
    const outgoing = url.protocol === 'https:' ? https().request(url, options) : http().request(url, options);
    let incoming: IncomingMessage | null = null;
    const end = (error: Error): void => void (incoming ?? outgoing).destroy(error);
    const abort = (): void => end(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    signal?.addEventListener('abort', abort, { once: true });
    let connecting: NodeJS.Timeout | undefined;
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return;
      connecting = setTimeout(() => end(timeoutError(url.host)), timeouts.connectMs);
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    outgoing.on('timeout', () => {
      // A body that has come and that nobody takes is not the server's fault.
      if (incoming && incoming.readableLength > 0) outgoing.socket?.setTimeout(timeouts.idleMs);
      else end(timeoutError(url.host));
    });
    outgoing.on('close', () => {
      clearTimeout(connecting);
      signal?.removeEventListener('abort', abort);
    });
    outgoing.on('error', (error) => {
      const isStale =
        outgoing.reusedSocket &&
        !incoming &&
        'code' in error &&
        (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(signal?.aborted ? error : isStale ? new StaleSocket() : toHttpRequestError(error, url));
    });
    // Node ends the connection and says nothing more.
    outgoing.on('upgrade', ({ statusCode = 0, headers: given }, socket) => {
      socket.destroy();
      reject(statusFailure(statusCode, given, url.host));
    });
    outgoing.on('response', (response) => {
      incoming = response;
      resolve(response);
    });
    outgoing.end();
  });
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
