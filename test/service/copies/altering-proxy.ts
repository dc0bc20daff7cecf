import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Decides how a proxy handles a request: its own answer, `cut` for a closed connection, or null to pass it on. */
export type Alter = (request: {
  readonly method: string;
  readonly path: string;
}) => Altered | null | Promise<Altered | null>;
export type Altered =
  | 'cut'
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | { readonly change: (body: Record<string, unknown>) => unknown };

export interface AlteringProxy {
  readonly url: string;
  alter: Alter;
  /** Requests so far, as method and path. */
  readonly seen: string[];
  end(): Promise<void>;
}

/** A server in front of another one that changes some of its answers. */
export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  const proxy = { url: '', alter: (() => null) as Alter, seen: [] as string[] };
  const server = http.createServer((request, response) => {
    void handle(target, proxy, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    url,
    end: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function handle(
  target: string,
  proxy: Pick<AlteringProxy, 'alter' | 'seen'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '' } = request;
  proxy.seen.push(`${method} ${path}`);
  const altered = await proxy.alter({ method, path });
  if (altered === 'cut') {
    request.socket.destroy();
    return;
  }
  if (altered !== null && 'status' in altered) {
    request.resume();
    response.writeHead(altered.status, { 'content-type': 'application/json', ...altered.headers });
    response.end(JSON.stringify(altered.body));
    return;
  }
  await pass(target, altered === null ? null : altered.change, request, response);
}

async function pass(
  target: string,
  change: ((body: Record<string, unknown>) => unknown) | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onward = http.request(
      new URL(request.url ?? '', target),
      { method: request.method, headers: { ...request.headers, host: new URL(target).host }, agent: false },
      (answer) => {
        if (change === null) {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response).on('finish', resolve);
          return;
        }
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const body = change(JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>);
          response.writeHead(answer.statusCode ?? 0, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body));
          resolve();
        });
      },
    );
    onward.on('error', reject);
    request.pipe(onward);
  });
}
