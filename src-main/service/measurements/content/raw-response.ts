import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Internal members that Node's `ServerResponse` sets for a head it has formatted; the test that
 * compares heads fails when they change.
 */
interface WithHead {
  _header: string;
  _headerSent: boolean;
}

/**
 * Internal method that Node calls for requests without a body when `optimizeEmptyRequests` is set;
 * some Node versions lack it.
 */
interface WithoutBody {
  _dumpAndCloseReadable?: () => void;
}

/**
 * Tells Node's `ServerResponse` that its header block was already written to the socket. Writes may
 * follow as its body.
 *
 * The request must have no body: its empty stream is discarded here, because Node would otherwise
 * run it to its end, which costs a twelfth of a small range. The server option
 * `optimizeEmptyRequests` would do so for every request, and code that waits for the end of an
 * empty body would wait forever.
 */
export function markHeadSent(response: ServerResponse, status: number, head: string): void {
  const request: IncomingMessage & WithoutBody = response.req;
  const { _dumpAndCloseReadable: endStream } = request;
  endStream?.call(request);
  const made: WithHead = { _header: head, _headerSent: true };
  Object.assign(response, made, { statusCode: status });
}

/**
 * Ends a response whose head and body are already in one buffer. Node would format the head for
 * each response, check each character of it, and give head and body to the socket as separate
 * chunks, which costs a tenth of a small range. The order of pipelined responses, the timeouts and
 * the end of the connection stay with Node.
 *
 * @param rest Bytes that were not yet written to the socket, see idle-socket.ts; null when all
 * were.
 */
export function endWithRawHead(response: ServerResponse, status: number, head: string, rest: Buffer | null): void {
  markHeadSent(response, status, head);
  if (rest) response.end(rest);
  else response.end();
}
