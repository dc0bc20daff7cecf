import type { IncomingHttpHeaders } from 'node:http';
import { readRange, type ByteRange } from './byte-ranges.ts';
import { matchesStrongly, matchesWeakly } from './entity-tags.ts';
import { parseHttpDate } from './http-date.ts';

/** The validators of a representation that preconditions are compared with. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Milliseconds since 1970; compared in whole seconds, as in Last-Modified. */
  readonly lastModified: number;
}

export type Verdict = 'not-modified' | 'precondition-failed' | 'proceed';

/**
 * Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 section 13.2.2, steps 1 to
 * 4.
 */
export function checkPreconditions(headers: IncomingHttpHeaders, validators: Validators): Verdict {
  const modified = wholeSeconds(validators.lastModified);
  const match = headers['if-match'];
  if (match !== undefined) {
    if (!matchesStrongly(match, validators.etag)) return 'precondition-failed';
  } else {
    const since = date(headers['if-unmodified-since']);
    if (since !== null && modified > since) return 'precondition-failed';
  }
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return matchesWeakly(noneMatch, validators.etag) ? 'not-modified' : 'proceed';
  const since = date(headers['if-modified-since']);
  return since !== null && modified <= since ? 'not-modified' : 'proceed';
}

/**
 * The ranges to answer a request with (step 5 and section 14.2): Range counts for GET only, and
 * only when If-Range names this very representation, by strong tag or by exactly its date (section
 * 13.1.5).
 */
export function rangesToSend(
  method: string,
  headers: IncomingHttpHeaders,
  validators: Validators,
  length: number,
): 'whole' | 'unsatisfiable' | readonly ByteRange[] {
  if (method !== 'GET' || headers.range === undefined) return 'whole';
  const condition = headers['if-range'];
  if (typeof condition === 'string' && !holds(condition, validators)) return 'whole';
  return readRange(headers.range, length);
}

function holds(condition: string, validators: Validators): boolean {
  if (condition.includes('"')) return condition.trim() === validators.etag;
  const at = parseHttpDate(condition.trim());
  return at !== null && at === wholeSeconds(validators.lastModified);
}

function date(header: string | undefined): number | null {
  return header === undefined ? null : parseHttpDate(header);
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
