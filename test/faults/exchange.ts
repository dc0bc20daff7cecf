import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

/** A client's request. */
export interface Asked {
  /** Number of the request among all of a server, from 0. */
  readonly number: number;
  readonly what: 'manifest' | 'file' | 'archive' | 'other';
  /** Index of the requested file. */
  readonly index: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Length of the complete body; null where there is no resource. */
  readonly length: number | null;
  /** First byte and the one after the last, if the client requests one satisfiable range. */
  readonly range: readonly [start: number, end: number] | null;
  readonly socket: Socket;
}

/** The response to the client. */
export interface Answer {
  readonly status: number;
  /** Lower-case names; without `content-length` the body is sent in chunks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** The end after the body: clean, connection closed, connection reset, or none. */
  readonly ending: 'end' | 'cut' | 'reset' | 'silence';
  /** Neither length nor chunks: the end of the connection ends the body, as in HTTP/1.0. */
  readonly untilClose?: boolean;
  /** After a clean end, the kept connection is closed silently. */
  readonly thenClose?: boolean;
}

/** Turns the response of a good server into a faulty one, or leaves it. */
export type Fault = (asked: Asked, answer: Answer) => Answer | Promise<Answer>;

/** A short response with a trivial body. */
export function bareAnswer(status: number, headers: Readonly<Record<string, string>> = {}, text = ''): Answer {
  const body = Buffer.from(text);
  return {
    status,
    headers: { 'content-type': 'text/plain', 'content-length': String(body.length), ...headers },
    body: [body],
    ending: 'end',
  };
}
