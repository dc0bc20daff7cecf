import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request that this server received. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Double {
  readonly origin: string;
  readonly seen: Seen[];
  /** The response to the next requests. */
  answer: (seen: Seen, response: ServerResponse) => void;
  end(): Promise<void>;
}

/**
 * A server with scripted responses that records its requests. @param create makes an https server
 * instead.
 */
export async function startDouble(
  create: (listener: http.RequestListener) => http.Server = http.createServer,
): Promise<Double> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const double: { answer: Double['answer'] } = { answer: (_one, response) => void response.writeHead(404).end() };
  const server = create((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://double');
      const one = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      double.answer(one, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${'setSecureContext' in server ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    get answer() {
      return double.answer;
    },
    set answer(answer) {
      double.answer = answer;
    },
    end: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
