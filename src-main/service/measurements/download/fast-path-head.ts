import { randomUUID } from 'node:crypto';
import type { ByteRange } from '../../http/semantics/byte-ranges.ts';
import { httpDate } from '../../http/semantics/http-date.ts';
import { contentRange } from '../../http/semantics/multipart.ts';
import type { FileDescription } from '../content/serve-headers.ts';

/** The variable parts of a response head on the fast path. */
export interface FastPathHead {
  readonly description: FileDescription;
  readonly status: 200 | 206;
  /** Length of the whole representation, in bytes. */
  readonly length: number;
  readonly range: ByteRange;
}

/**
 * Returns a function that formats response heads as Node would. The Date value is cached for a
 * second.
 */
export function headMaker(keepAliveMs: number): (what: FastPathHead) => string {
  const end = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
  let second = 0;
  let date = '';

  return ({ description, status, length, range }) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      date = httpDate(now * 1000);
    }
    const first = status === 200 ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 206 Partial Content';
    const place = status === 200 ? '' : `Content-Range: ${contentRange(range, length)}\r\n`;
    return `${first}\r\n${description.bodyLines}${place}Content-Length: ${range.end - range.start}\r\nX-Request-Id: ${randomUUID()}\r\nDate: ${date}\r\n${end}`;
  };
}
