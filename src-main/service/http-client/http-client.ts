import type { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import { ownerGuard } from './outgoing-guard.ts';
import { parseServerUrl, redirected, resolveWithin } from './server-url.ts';
import { HttpRequestError } from './http-request-error.ts';
import type { HttpResponse } from './http-response.ts';
import { nodeHttp, nodeHttps, sendNodeRequest, type HttpTimeouts, type NodeRequest } from './node-request.ts';
import { pinnedAgent } from './pinned-agent.ts';
import { statusFailure } from './status-failure.ts';

/** How a server is reached. `token` is sent to this origin only. */
export interface ServerAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string | null;
  /** SHA-256 of the only trusted certificate, hexadecimal; null uses the system's authorities. */
  readonly certificate: string | null;
}

export interface HttpRequest extends NodeRequest {
  /**
   * Path and query below the base URL, starting with a slash; for manifest links see {@link
   * HttpClient.below}.
   */
  readonly path: string;
}

/**
 * Sends a request to one server.
 *
 * @returns a response with a status from 200 to 299, or 416 for a range request.
 * @throws HttpRequestError, or the signal's reason
 */
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
   * A GET request as text; null if it has to be sent by `send`, because of characters in the token
   * or because names are looked up in another way. @throws HttpRequestError
   */
  readonly rawRequest: (request: HttpRequest) => RawRequest | null;
  /**
   * The path of a manifest link below the base URL. Links of a server behind a path prefix may or
   * may not include the prefix.
   */
  readonly below: (href: string) => string;
  close(): void;
}

export interface HttpClientOptions {
  readonly connections: number;
  readonly keepAlive?: boolean;
  readonly timeouts?: HttpTimeouts;
  /** Of a guard for addresses that users chose; {@link ownerGuard}'s when left out. */
  readonly lookup?: LookupFunction;
  /** Zero: a redirect is refused like any other unexpected status. */
  readonly maxRedirects?: number;
}

const defaultTimeouts: HttpTimeouts = { connectMs: 15_000, idleMs: 30_000 };
const defaultMaxRedirects = 5;
const plainPath = /^(?:\/[\w-]+)+$/;

/** Sends one request over its own connection. @throws HttpRequestError, or the signal's reason */
export async function sendOnce(
  server: ServerAccess,
  request: HttpRequest,
  options: Omit<HttpClientOptions, 'connections' | 'keepAlive'> = {},
): Promise<HttpResponse> {
  return createHttpClient(server, { ...options, connections: 1, keepAlive: false }).send(request);
}

/**
 * Creates a client for a server. The token is sent only to the origin of the base URL and below its
 * path.
 *
 * @throws HttpRequestError if the base URL is unusable, or its address refused.
 */
export function createHttpClient(server: ServerAccess, options: HttpClientOptions): HttpClient {
  const base = parseServerUrl(server.baseUrl);
  const { timeouts = defaultTimeouts, maxRedirects = defaultMaxRedirects } = options;
  const lookup = options.lookup ?? ownerGuard().lookupFor(base);
  let agent: Agent | null = null;
  const fixed = {
    'accept-encoding': 'identity',
    'user-agent': 'Benchport',
    ...(server.token === null ? {} : { authorization: `Bearer ${server.token}` }),
  };
  const prefix = base.pathname === '/' ? '' : base.pathname;
  const addressOf = (request: HttpRequest): URL => resolveWithin(base, `${prefix}${request.path}`);
  // Raw requests look names up with the owner's guard (connection.ts).
  const canBeRaw = options.lookup === undefined && /^[\x21-\x7e]*$/.test(server.token ?? '');
  const fixedLines = headerLines({ host: base.host, ...fixed });
  return {
    below: (href) => (prefix !== '' && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href),
    rawRequest: (request) => {
      if (!canBeRaw) return null;
      // Such a path needs no URL normalisation and cannot leave the base path.
      const target = plainPath.test(request.path) ? `${prefix}${request.path}` : targetOf(addressOf(request));
      return {
        url: base,
        certificate: server.certificate,
        text: `GET ${target} HTTP/1.1\r\n${fixedLines}${headerLines({ accept: '*/*', ...request.headers })}\r\n`,
        timeouts,
      };
    },
    send: async (request) => {
      const headers = { accept: '*/*', ...request.headers, ...fixed };
      let url = addressOf(request);
      for (let hops = 0; ; hops += 1) {
        agent ??= agentFor(base, server.certificate, { ...options, lookup }, timeouts);
        const response = await sendNodeRequest(url, agent, { ...request, headers }, timeouts);
        const location = maxRedirects === 0 ? null : locationOf(response);
        if (location === null) return checkedResponse(response, request);
        response.end();
        if (hops === maxRedirects) throw redirected(url.host, 'again and again');
        url = resolveWithin(base, location, url);
      }
    },
    close: () => agent?.destroy(),
  };
}

function agentFor(
  { protocol }: URL,
  certificate: string | null,
  { connections, keepAlive = true, lookup }: HttpClientOptions & { readonly lookup: LookupFunction },
  { idleMs }: HttpTimeouts,
): Agent {
  const pool = {
    keepAlive,
    maxSockets: connections,
    // LIFO, so that surplus connections stay idle and time out.
    scheduling: 'lifo',
    timeout: idleMs,
    lookup,
  } as const;
  if (protocol === 'http:') return new (nodeHttp().Agent)(pool);
  return certificate === null ? new (nodeHttps().Agent)(pool) : pinnedAgent(pool, certificate);
}

function locationOf({ status, headers: { location } }: HttpResponse): string | null {
  return location !== undefined && status >= 300 && status < 400 && status !== 304 ? location : null;
}

function targetOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function checkedResponse(response: HttpResponse, request: HttpRequest): HttpResponse {
  const { headers, status, url } = response;
  const coding = headers['content-encoding'] ?? 'identity';
  const isExpected = (status >= 200 && status < 300) || (status === 416 && request.headers?.['range'] !== undefined);
  if (isExpected && coding === 'identity') return response;
  response.end();
  if (!isExpected) throw statusFailure(status, headers, url.host);
  throw new HttpRequestError(
    'coded',
    `${url.host} sent an unexpected response: it is compressed (${/^[\w-]{1,20}$/.test(coding) ? coding : 'unknown'}).`,
  );
}
