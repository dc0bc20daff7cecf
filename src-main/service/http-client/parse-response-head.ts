import type { IncomingHttpHeaders } from 'node:http';

/** The head of a plain response whose body has a known length. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body length in bytes. */
  readonly length: number;
  /** Whether the server keeps the connection open. */
  readonly keepAlive: boolean;
}

// Blanks and other characters alternate, which avoids quadratic backtracking over long runs of
// blanks.
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
 * Parses the head of an HTTP/1.1 response (RFC 9112 sections 2.2, 4 and 5), without the empty line
 * at its end.
 *
 * @returns null for anything unusual, such as chunked bodies, bodies delimited by close, interim
 * responses or duplicate headers; Node's own parser handles those.
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
  // 204 and 304 never have a body, whatever their headers say (RFC 9112 section 6.3).
  if (code === 204 || code === 304) return null;
  const connection = headers['connection'] ?? '';
  return { status: code, headers, length: Number(length), keepAlive: !/\bclose\b/i.test(connection) };
}

/**
 * Whether these bytes may be the start of a response head. A server of another protocol often sends
 * one line and waits.
 */
export function couldBeResponseHead(start: Buffer): boolean {
  return 'HTTP/1.1 '.startsWith(start.toString('latin1', 0, 9)) && !start.includes('\n\n');
}
