import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { http } from '../../common/node-http.ts';
import { HttpProblem, problemBody } from '../../common/problem.ts';

/** How Node says why a request was none. */
export interface Unreadable extends Error {
  readonly code?: string;
  /** What came last. */
  readonly rawPacket?: unknown;
}

// For the client to read what it was told and close; without it what it is still sending would make its system throw the words away (RFC 9112 section 9.6).
const lingering = 2000;
// The first byte of a TLS connection: a record of its handshake (RFC 8446 section 5.1).
const handshake = 0x16;

/** Answers what could not even be parsed as a request: too long, too slow, or not HTTP. There is no request to hang a reply on. */
export function refuseUnreadable(error: Unreadable, socket: Socket): void {
  // Words in the middle of an answer would be taken for a part of it.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isAnswering(socket)) socket.destroy();
  else refuseOn(socket, explain(error));
}

/** Writes a problem to a connection on which nothing else is written, and ends it. */
export function refuseOn(socket: Socket, problem: HttpProblem): void {
  const id = randomUUID();
  const body = problemBody(problem, id);
  socket.on('error', () => {});
  socket.end(
    `HTTP/1.1 ${problem.status} ${http.STATUS_CODES[problem.status] ?? 'Error'}\r\nContent-Type: application/problem+json\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  const late = setTimeout(() => socket.destroy(), lingering).unref();
  socket.once('close', () => clearTimeout(late));
}

/**
 * Whether an answer is outstanding, or has begun, by Node's own note of it. Where its request has come whole, what cannot be read is a later request, whose
 * answer may not overtake it (RFC 9112 section 9.3.2).
 */
function isAnswering({ _httpMessage: answer }: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return answer !== undefined && answer !== null && (answer.headersSent || answer.req.complete);
}

function explain({ code, rawPacket }: Unreadable): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpProblem(431, 'The address and headers of a request can have at most 16 KiB together.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpProblem(408, 'The request took too long to arrive.');
  if (Buffer.isBuffer(rawPacket) && rawPacket[0] === handshake)
    return new HttpProblem(400, 'This port speaks plain HTTP. Use an address that begins with http://.');
  return new HttpProblem(400, 'This is not a valid HTTP request.');
}
