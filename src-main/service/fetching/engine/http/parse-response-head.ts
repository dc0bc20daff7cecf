import type { IncomingHttpHeaders } from 'node:http';

/** The head of a plain answer: one whose body has a length. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body. */
  readonly length: number;
  /** Whether the connection can be used again. */
  readonly keepAlive: boolean;
}

// Blanks and other characters take turns, so that no row of blanks within a value is looked at anew from each of them.
const header =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*((?:[\x21-\x7e\x80-\xff]+(?:[ \t]+[\x21-\x7e\x80-\xff]+)*)?)[ \t]*$/;
const once = new Set([
  'content-length',
  'content-range',
  'etag',
  'transfer-encoding',
  'content-encoding',
  'connection',
  'location',
  'retry-after',
  'www-authenticate',
]);

/**
 * Reads the head of an HTTP/1.1 answer (RFC 9112 sections 2.2, 4 and 5), without the empty line at its end.
 *
 * @returns null for all that is not quite ordinary, for example chunks, a body until the connection ends, interim answers, or a header given twice: such an
 * answer is for Node's own parser.
 */
export function parseResponseHead(text: string): ResponseHead | null {
  const lines = text.split('\r\n');
  const status = /^HTTP\/1\.1 ([2-5]\d\d)(?: |$)/.exec(lines[0] ?? '');
  if (!status) return null;
  const headers: Record<string, string> = {};
  for (const line of lines.slice(1)) {
    const field = header.exec(line);
    if (!field) return null;
    const name = (field[1] ?? '').toLowerCase();
    if (name in headers && once.has(name)) return null;
    headers[name] = field[2] ?? '';
  }
  const length = headers['content-length'];
  if (
    length === undefined ||
    !/^\d{1,15}$/.test(length) ||
    'transfer-encoding' in headers ||
    (headers['content-encoding'] ?? 'identity') !== 'identity'
  )
    return null;
  const code = Number(status[1]);
  // These have no body whatever they say (RFC 9112 section 6.3).
  if (code === 204 || code === 304) return null;
  const connection = headers['connection'] ?? '';
  return { status: code, headers, length: Number(length), keepAlive: !/\bclose\b/i.test(connection) };
}

/** Whether more bytes may make a head of these. What is no HTTP server often says a line and waits. */
export function couldBeResponseHead(start: Buffer): boolean {
  return 'HTTP/1.1 '.startsWith(start.toString('latin1', 0, 9)) && !start.includes('\n\n');
}
