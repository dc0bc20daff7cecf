import type { IncomingHttpHeaders } from 'node:http';

/** The Content-Range of a 206 response. `end` is exclusive; `total` is null if unknown. */
export interface ContentRange {
  readonly start: number;
  readonly end: number;
  readonly total: number | null;
}

/**
 * Parses Content-Range (RFC 9110 section 14.4). @returns null if it is missing or malformed, which
 * includes multipart/byteranges
 */
export function parseContentRange(headers: IncomingHttpHeaders): ContentRange | null {
  const match = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i.exec(headers['content-range'] ?? '');
  if (!match) return null;
  const [start, last, total] = [Number(match[1]), Number(match[2]), match[3] === '*' ? null : Number(match[3])];
  if (last < start || !Number.isSafeInteger(last) || (total !== null && last >= total)) return null;
  return { start, end: last + 1, total };
}

/** The total length in a 416 response (`bytes` followed by a star and the length). */
export function parseUnsatisfiedTotal(headers: IncomingHttpHeaders): number | null {
  const match = /^bytes \*\/(\d{1,15})$/i.exec(headers['content-range'] ?? '');
  return match ? Number(match[1]) : null;
}

/**
 * A strong entity tag (RFC 9110 section 8.8.3). Null for a weak one or none: ranges must not be
 * combined by it.
 */
export function parseStrongTag(headers: IncomingHttpHeaders): string | null {
  const tag = headers.etag;
  return tag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]{0,1000}"$/.test(tag) ? tag : null;
}

/** Null if it is missing or malformed. */
export function parseContentLength(headers: IncomingHttpHeaders): number | null {
  const value = headers['content-length'];
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : null;
}
