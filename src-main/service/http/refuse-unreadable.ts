import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { HttpProblem, problemBody } from './problem.ts';

/** Answers what could not even be parsed as a request: too long, too slow, or not HTTP. There is no request to hang a reply on. */
export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const problem = explain(error.code);
  const body = problemBody(problem, id);
  socket.end(
    `HTTP/1.1 ${problem.status} Refused\r\nContent-Type: application/problem+json\r\nX-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function explain(code: string | undefined): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpProblem(431, 'The address and the headers of a request may have 16 KiB together.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpProblem(408, 'The request took too long to arrive.');
  return new HttpProblem(400, 'This is not a valid HTTP request.');
}
