import type { Agent, IncomingMessage } from 'node:http';
import { statusFailure, timeoutError, toHttpRequestError } from './http-request-error.ts';

// Loaded on first use: ordinary responses are read without them (download-connection.ts), and
// loading takes longer than many a fetch.
export const nodeHttp = () => process.getBuiltinModule('node:http');
export const nodeHttps = () => process.getBuiltinModule('node:https');

/** Timeouts in milliseconds for connecting and for inactivity afterwards. */
export interface HttpTimeouts {
  readonly connectMs: number;
  readonly idleMs: number;
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
  request: { readonly method?: 'GET' | 'HEAD'; readonly signal?: AbortSignal },
  headers: Record<string, string>,
  timeouts: HttpTimeouts,
): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await attempt(url, agent, request, headers, timeouts);
    } catch (error) {
      // Terminates: each attempt removes one stale connection from the pool.
      if (!(error instanceof StaleSocket)) throw error;
    }
  }
}

async function attempt(
  url: URL,
  agent: Agent,
  request: { readonly method?: 'GET' | 'HEAD'; readonly signal?: AbortSignal },
  headers: Record<string, string>,
  timeouts: HttpTimeouts,
): Promise<IncomingMessage> {
  const { method = 'GET', signal } = request;
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
      connecting = setTimeout(() => end(timeoutError(url.host)), timeouts.connectMs);
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    outgoing.on('timeout', () => {
      // If received data waits for the reader, the server is not at fault.
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
    // Without a listener Node closes the connection silently.
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
