import type { Agent, IncomingMessage } from 'node:http';
import { requestFailure, toHttpRequestError } from './http-request-error.ts';
import type { BodyHandler, HttpResponse } from './http-response.ts';

// Loaded on first use: ordinary responses are read without them (download-connection.ts), and
// loading takes longer than many a fetch.
export const nodeHttp = () => process.getBuiltinModule('node:http');
export const nodeHttps = () => process.getBuiltinModule('node:https');

/** Timeouts in milliseconds for connecting and for inactivity afterwards. */
export interface HttpTimeouts {
  readonly connectMs: number;
  readonly idleMs: number;
}

export interface NodeRequest {
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal;
}

/**
 * The server closed a kept-alive connection before it handled the request, which is then sent once
 * more (RFC 9112 section 9.3.1).
 */
class StaleSocket extends Error {}

/**
 * Sends a request with Node's client, and once more for each stale connection of the agent.
 *
 * @throws HttpRequestError, or the signal's reason
 */
export async function sendNodeRequest(
  url: URL,
  agent: Agent,
  request: NodeRequest,
  timeouts: HttpTimeouts,
): Promise<HttpResponse> {
  for (;;) {
    try {
      return await attempt(url, agent, request, timeouts);
    } catch (error) {
      request.signal?.throwIfAborted();
      // Terminates: each attempt removes one stale connection from the pool.
      if (!(error instanceof StaleSocket)) throw toHttpRequestError(error, url);
    }
  }
}

async function attempt(url: URL, agent: Agent, request: NodeRequest, timeouts: HttpTimeouts): Promise<HttpResponse> {
  const { method = 'GET', headers, body, signal } = request;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent, timeout: timeouts.idleMs } as const;
    const outgoing = url.protocol === 'https:' ? nodeHttps().request(url, options) : nodeHttp().request(url, options);
    let incoming: IncomingMessage | null = null;
    const end = (error: Error): void => void (incoming ?? outgoing).destroy(error);
    const abort = (): void => end(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    signal?.addEventListener('abort', abort, { once: true });
    let connecting: NodeJS.Timeout | undefined;
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return;
      connecting = setTimeout(() => end(requestFailure('timed-out', url)), timeouts.connectMs);
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    outgoing.on('timeout', () => {
      // If received data waits for the reader, the server is not at fault.
      if (incoming && incoming.readableLength > 0) outgoing.socket?.setTimeout(timeouts.idleMs);
      else end(requestFailure('timed-out', url));
    });
    outgoing.on('close', () => {
      clearTimeout(connecting);
      signal?.removeEventListener('abort', abort);
    });
    outgoing.on('error', (error) => {
      const isReset = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(outgoing.reusedSocket && !incoming && isReset ? new StaleSocket() : error);
    });
    // Without a listener Node closes the connection silently.
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(responseOf(response, url, signal));
    });
    outgoing.on('response', (response) => {
      incoming = response;
      resolve(responseOf(response, url, signal));
    });
    outgoing.end(body);
  });
}

function responseOf(body: IncomingMessage, url: URL, signal: AbortSignal | undefined): HttpResponse {
  return {
    status: body.statusCode ?? 0,
    headers: body.headers,
    url,
    read: async (take) => readBody(body, url, signal, take),
    end: () => void (body.readableEnded || body.destroy()),
  };
}

async function readBody(
  body: IncomingMessage,
  url: URL,
  signal: AbortSignal | undefined,
  take: BodyHandler,
): Promise<void> {
  for await (const part of partsOf(body, url, signal)) await take(part);
}

async function* partsOf(body: IncomingMessage, url: URL, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    signal?.throwIfAborted();
    throw toHttpRequestError(error, url);
  }
}
