import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { http } from '../../common/node-http.ts';
import { HttpProblem, problemBody } from '../../common/problem.ts';

/** Node's error for bytes that are not a readable request. */
export interface Unreadable extends Error {
  readonly code?: string;
  /** The last bytes received. */
  readonly rawPacket?: unknown;
}

// Milliseconds for the client to read the answer and close: closing while it still sends would make
// its system discard the answer (RFC 9112 section 9.6).
const lingering = 2000;
// The first byte of a TLS connection: a record of its handshake (RFC 8446 section 5.1).
const handshake = 0x16;

/**
 * Answers bytes that could not be parsed as a request: too long, too slow, or not HTTP. There is no
 * request to reply to, only a socket.
 */
export function refuseUnreadable(error: Unreadable, socket: Socket): void {
  // Text in the middle of a response would be read as a part of it.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isAnswering(socket)) socket.destroy();
  else refuseOn(socket, explain(error));
}

/** Writes a problem to a connection with no other response under way, and ends it. */
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
 * Whether a response is outstanding or under way, by Node's own field. If its request is complete,
 * the unreadable bytes are a later request, whose response may not overtake it (RFC 9112 section
 * 9.3.2).
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
