import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TrustedProxies } from './trusted-proxies.ts';
import type { RawHandler } from './raw-handler.ts';
import { networkOf } from '../network-of.ts';
import { HttpProblem, problemBody } from '../../common/problem.ts';

const retrySeconds = 5;

/**
 * Limits the requests of each client whose bodies are still arriving (429). A trusted proxy opens a
 * connection for each request, so a limit of connections per address would stop all clients of the
 * proxy or none.
 *
 * @param maxPerClient of one IPv4 address or IPv6 network, as the trusted proxy reports it.
 */
export function limitUnfinished(proxies: Pick<TrustedProxies, 'clientOf'>, maxPerClient: number): RawHandler {
  const clients = new Map<string, number>();
  return (request, response) => {
    if (!hasBody(request)) return false;
    const client = networkOf(proxies.clientOf(request) ?? '');
    const count = (clients.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      refuse(response);
      return true;
    }
    clients.set(client, count);
    request.on('close', () => {
      const left = (clients.get(client) ?? 1) - 1;
      if (left > 0) clients.set(client, left);
      else clients.delete(client);
    });
    return false;
  };
}

// RFC 9112 section 6: either header indicates a body, whatever the method.
function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

function refuse(response: ServerResponse): void {
  const id = randomUUID();
  const problem = new HttpProblem(
    429,
    'Too many requests from this client are still arriving. Wait until they end, and try again.',
    {
      type: 'too-many-unfinished',
    },
  );
  const body = problemBody(problem, id);
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
    'retry-after': String(retrySeconds),
    // Otherwise the connection would stay open until the rest of the body has been received.
    connection: 'close',
  });
  response.end(body);
}
