import type { IncomingMessage, ServerResponse } from 'node:http';

/** What Node keeps of a head that it has made itself; the members are its own, and the test that compares heads notices when they change. */
interface WithHead {
  _header: string;
  _headerSent: boolean;
}

/** What Node does itself with a request that can have no body, where its option `optimizeEmptyRequests` is set. Not every Node has it. */
interface WithoutBody {
  _dumpAndCloseReadable?: () => void;
}

/**
 * Lets a response have a head that has left, or leaves, past Node. Its body may follow in writes. The request has no body: else Node would let a stream of
 * nothing flow to its end, which costs a twelfth of a small range. The option would do so for every request, and who waits for the end of a body that is
 * not there would wait for ever.
 */
export function markHeadSent(response: ServerResponse, status: number, head: string): void {
  const request: IncomingMessage & WithoutBody = response.req;
  const { _dumpAndCloseReadable: endStream } = request;
  endStream?.call(request);
  const made: WithHead = { _header: head, _headerSent: true };
  Object.assign(response, made, { statusCode: status });
}

/**
 * Ends a response with head and body that stand in one buffer already. Node would make the head anew for each answer, check each character of it, and
 * hand head and body to the socket as separate pieces: a tenth of what a small range costs. Everything else stays with Node: the order of pipelined
 * answers, the timeouts of the connection, and its end.
 *
 * @param rest What has not gone into the socket past Node, see idle-socket.ts; null when all of it has.
 */
export function endWithRawHead(response: ServerResponse, status: number, head: string, rest: Buffer | null): void {
  markHeadSent(response, status, head);
  if (rest) response.end(rest);
  else response.end();
}
