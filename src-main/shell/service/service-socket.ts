import http from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { problemResponse } from './problem-response.ts';

/** The header that authenticates a request as coming from the window of this launch. */
const secretHeader = 'x-benchport-launch-secret';

/** The service's private socket, which only its owner can open, and the secret of this launch. */
export interface ServiceSocket {
  readonly socketPath: string;
  readonly secret: string;
}

/**
 * Headers that belong to one connection, or that name the page's origin, which the service does not
 * know.
 */
const notForwarded = new Set([
  'host',
  'connection',
  'content-length',
  'keep-alive',
  'origin',
  'proxy-authorization',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  secretHeader,
]);
const notReturned = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);
const withoutBody = new Set([204, 205, 304]);

/**
 * Sends a request of the page over the private socket. Bodies stream both ways; aborting the
 * request's signal destroys the connection.
 */
export function forward(request: Request, serviceSocket: ServiceSocket): Promise<Response> {
  const url = new URL(request.url);
  const outgoing = http.request({
    socketPath: serviceSocket.socketPath,
    path: url.pathname + url.search,
    method: request.method,
    headers: { ...forwardedHeaders(request.headers), host: 'localhost', [secretHeader]: serviceSocket.secret },
  });
  const leave = (): void => {
    outgoing.destroy();
  };
  request.signal.addEventListener('abort', leave, { once: true });

  return new Promise((resolve) => {
    outgoing.once('error', () => {
      resolve(
        problemResponse(
          502,
          'The service did not answer. It restarts automatically; try again in a moment.',
          'service-unreachable',
          {
            'retry-after': '1',
          },
        ),
      );
    });
    outgoing.once('response', (incoming) => {
      incoming.once('close', () => request.signal.removeEventListener('abort', leave));
      resolve(toResponse(incoming, request.method));
    });
    sendBody(request, outgoing);
  });
}

function forwardedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !notForwarded.has(name.toLowerCase())));
}

function sendBody(request: Request, outgoing: http.ClientRequest): void {
  if (request.body === null) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(request.body as NodeReadableStream);
  body.once('error', () => outgoing.destroy());
  body.pipe(outgoing);
}

function toResponse(incoming: http.IncomingMessage, method: string): Response {
  const status = incoming.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    if (!notReturned.has(name)) for (const value of values ?? []) headers.append(name, value);
  }
  if (method === 'HEAD' || withoutBody.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers });
}

/**
 * Sends a request over the private socket and resolves to the JSON response.
 * @throws if the status is not 2xx.
 */
export type SendToService = (
  path: string,
  write?: { readonly method: 'POST' | 'PATCH'; readonly body: unknown },
) => Promise<unknown>;

/** Makes a function that sends requests on behalf of the main process. */
export function sendThrough(serviceSocket: ServiceSocket): SendToService {
  return async (path, write) => {
    const init = write && {
      method: write.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(write.body),
    };
    const response = await forward(new Request(new URL(path, 'http://localhost'), init), serviceSocket);
    if (response.ok) return response.json();
    await response.body?.cancel();
    throw new Error(`The service answered ${response.status}.`);
  };
}
