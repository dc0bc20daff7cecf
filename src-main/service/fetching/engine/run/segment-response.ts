import { HttpRequestError } from '../../../http-client/http-request-error.ts';
import type { ResponseStart } from '../../../http-client/http-response.ts';
import {
  parseContentLength,
  parseContentRange,
  parseStrongTag,
  parseUnsatisfiedTotal,
} from '../../../http-client/response-fields.ts';
import { FileFailure } from './fetch-context.ts';
import { wrongLength } from './small-file.ts';
import type { JournalFile } from '../types.ts';

/** The known length and entity tag of a file on the server. */
export interface Known {
  readonly length: number | null;
  readonly etag: string | null;
}

export type Meaning =
  /** The requested range, or a shorter part of it. */
  | { readonly kind: 'part'; readonly end: number; readonly length: number | null; readonly etag: string | null }
  | { readonly kind: 'whole'; readonly length: number | null; readonly etag: string | null }
  /**
   * The whole file although it has not changed: the server ignores ranges, or does not match entity
   * tags in If-Range.
   */
  | { readonly kind: 'condition-ignored' }
  /** The file on the server is no longer the one that was begun. */
  | { readonly kind: 'changed' };

/**
 * Interprets the response to a range request (RFC 9110 sections 13.1.5, 14.4 and 15.3.7).
 *
 * @throws FileFailure if the length differs from the manifest, HttpRequestError if the response is
 * invalid.
 */
export function meaningOf(
  response: ResponseStart,
  asked: { readonly start: number; readonly end: number; readonly conditional: boolean },
  file: JournalFile,
  known: Known,
): Meaning {
  const { status, headers, url } = response;
  const etag = parseStrongTag(headers);
  if (status === 416) {
    const total = parseUnsatisfiedTotal(headers);
    if (known.length !== null && total !== null && total !== known.length)
      throw file.length === null ? changedLength() : wrongLength(file, total);
    throw new HttpRequestError('bad-response', `${url.host} refuses a range within the file (416).`);
  }
  if (status === 206) {
    const range = parseContentRange(headers);
    if (!range || range.start !== asked.start || range.end > asked.end)
      throw new HttpRequestError('bad-response', `${url.host} sends a different range than requested.`);
    const length = parseContentLength(headers);
    if (length !== null && length !== range.end - range.start)
      throw new HttpRequestError('bad-response', `${url.host} sends two different lengths for one range.`);
    if (known.etag !== null && etag !== null && etag !== known.etag) return { kind: 'changed' };
    if (known.length !== null && range.total !== null && range.total !== known.length)
      throw file.length === null ? changedLength() : wrongLength(file, range.total);
    return { kind: 'part', end: range.end, length: range.total, etag };
  }
  if (status !== 200)
    throw new HttpRequestError(
      'bad-response',
      `${url.host} answers with the status ${status} to a request for a range.`,
    );
  if (asked.conditional && asked.start > 0 && etag !== null && etag === known.etag)
    return { kind: 'condition-ignored' };
  const length = parseContentLength(headers);
  if (file.length !== null && length !== null && length !== file.length) throw wrongLength(file, length);
  return { kind: 'whole', length, etag };
}

function changedLength(): FileFailure {
  return new FileFailure(
    'file-changed',
    'The length of the archive has changed since the fetch began. Fetch it again from the start.',
  );
}
