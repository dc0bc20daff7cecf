import { withoutLength } from './body-faults.ts';
import type { Answer, Asked, Fault } from './exchange.ts';
import { bodyOf } from './good-answer.ts';
import type { GeneratedMeasurement } from './measurement.ts';

/** A body that ends with its last chunk. */
export const noLength: Fault = (_asked, answer) => withoutLength(answer);

/** A body that ends with the connection, as in HTTP/1.0. */
export const lengthByClose: Fault = (_asked, answer) => ({ ...withoutLength(answer), untilClose: true });

export const noTag: Fault = (_asked, answer) => ({ ...answer, headers: without(answer.headers, 'etag') });

/** A weak entity tag, which does not promise equal bytes (RFC 9110 section 8.8.1). */
export const weakTag: Fault = (_asked, answer) =>
  answer.headers['etag'] === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, etag: `W/${answer.headers['etag']}` } };

export function otherTag(tag: string): Fault {
  return (_asked, answer) =>
    answer.headers['etag'] === undefined ? answer : { ...answer, headers: { ...answer.headers, etag: tag } };
}

/** A server without ranges: always the whole body, with 200. */
export function noRanges(measurement: GeneratedMeasurement): Fault {
  return (asked, answer) =>
    asked.length === null || answer.status >= 300 ? answer : whole(measurement, asked, answer, asked.length);
}

/**
 * Ignores `If-Range`: sends the range whatever its tag. List it after the fault that changes the
 * tag.
 */
export function ifRangeIgnored(measurement: GeneratedMeasurement): Fault {
  return (asked, answer) => {
    if (!asked.range || answer.status !== 200) return answer;
    const [start, end] = asked.range;
    const headers = {
      ...answer.headers,
      'content-length': String(end - start),
      'content-range': `bytes ${start}-${end - 1}/${asked.length}`,
    };
    return { ...answer, status: 206, headers, body: bodyOf(measurement, asked, start, end) };
  };
}

/** A 206 with another `Content-Range`, or without one (null), over the requested bytes. */
export function contentRange(change: (start: number, end: number, length: number) => string | null): Fault {
  return (asked, answer) => {
    if (answer.status !== 206 || !asked.range) return answer;
    const text = change(...asked.range, asked.length ?? 0);
    const headers = without(answer.headers, 'content-range');
    return { ...answer, headers: text === null ? headers : { ...headers, 'content-range': text } };
  };
}

/**
 * Sends ranges shifted by this many bytes, if possible, and states so correctly in `Content-Range`.
 */
export function shifted(measurement: GeneratedMeasurement, by: number): Fault {
  return (asked, answer) => {
    if (answer.status !== 206 || !asked.range || asked.range[0] + by < 0) return answer;
    const [start, end] = [asked.range[0] + by, Math.min(asked.range[1] + by, asked.length ?? 0)];
    const headers = {
      ...answer.headers,
      'content-length': String(end - start),
      'content-range': `bytes ${start}-${end - 1}/${asked.length}`,
    };
    return { ...answer, headers, body: bodyOf(measurement, asked, start, end) };
  };
}

function whole(measurement: GeneratedMeasurement, asked: Asked, answer: Answer, length: number): Answer {
  const headers = {
    ...without(without(answer.headers, 'content-range'), 'accept-ranges'),
    'content-length': String(length),
  };
  return {
    ...answer,
    status: 200,
    headers,
    body: asked.method === 'HEAD' ? [] : bodyOf(measurement, asked, 0, length),
  };
}

function without(headers: Answer['headers'], name: string): Record<string, string> {
  const { [name]: _left, ...rest } = headers;
  return rest;
}
