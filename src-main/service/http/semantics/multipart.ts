import { randomBytes } from 'node:crypto';
import type { ByteRange } from './byte-ranges.ts';

/** The frame of a multipart/byteranges body (RFC 9110 section 14.6). */
export interface Multipart {
  readonly contentType: string;
  /** The text before the bytes of each range. */
  readonly heads: readonly string[];
  readonly tail: string;
  /** Bytes of the whole body. */
  readonly length: number;
}

/**
 * Frames several ranges of a representation. The boundary is random, so no file can contain it on
 * purpose.
 */
export function frameRanges(ranges: readonly ByteRange[], contentType: string, total: number): Multipart {
  const boundary = randomBytes(18).toString('hex');
  const heads = ranges.map(
    (range, i) =>
      `${i === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${contentType}\r\nContent-Range: ${contentRange(range, total)}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const length = ranges.reduce((sum, range, i) => sum + (heads[i] ?? '').length + range.end - range.start, tail.length);
  return { contentType: `multipart/byteranges; boundary=${boundary}`, heads, tail, length };
}

/** The Content-Range of one range. */
export function contentRange(range: ByteRange, total: number): string {
  return `bytes ${range.start}-${range.end - 1}/${total}`;
}
