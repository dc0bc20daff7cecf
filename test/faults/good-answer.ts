import type { IncomingHttpHeaders } from 'node:http';
import { bareAnswer, type Answer, type Asked } from './exchange.ts';
import { slicesOf } from './content.ts';
import { archiveSlices, manifestOf, type GeneratedMeasurement } from './measurement.ts';

/** The resource at an address. */
export interface Thing {
  readonly what: Asked['what'];
  readonly index: number;
  readonly length: number | null;
}

const sliceBytes = 64 * 1024;

/** The resource named by a path below the base path. */
export function thingAt(measurement: GeneratedMeasurement, path: string): Thing {
  const prefix = `/measurements/${measurement.id}`;
  if (path === prefix) return { what: 'archive', index: 0, length: measurement.archiveBytes };
  if (path === `${prefix}/files` || path === `${prefix}/files/`) return { what: 'manifest', index: 0, length: null };
  const index = Number(
    /^\d+$/.exec(path.startsWith(`${prefix}/files/`) ? path.slice(prefix.length + 7) : '')?.[0] ?? -1,
  );
  const file = measurement.files[index];
  return file ? { what: 'file', index, length: file.length } : { what: 'other', index: -1, length: null };
}

/** One satisfiable range, clamped; null for none, several, or an unsatisfiable one. */
export function rangeOf(headers: IncomingHttpHeaders, length: number | null): readonly [number, number] | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (length === null || first + last === '') return null;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(Number(last) + 1, length);
  return start < end ? [start, end] : null;
}

/** The response of a server without faults (RFC 9110 sections 13 and 14). */
export function goodAnswer(measurement: GeneratedMeasurement, asked: Asked, tag: string): Answer {
  if (asked.what === 'other') return bareAnswer(404, {}, 'There is no such measurement or file.');
  if (asked.what === 'manifest') {
    const text = Buffer.from(JSON.stringify(manifestOf(measurement)));
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
    return { status: 200, headers, body: asked.method === 'HEAD' ? [] : [text], ending: 'end' };
  }
  const length = asked.length ?? 0;
  const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes', etag: tag };
  const ifRange = asked.headers['if-range'];
  const ranged =
    asked.method === 'GET' && asked.headers.range !== undefined && (ifRange === undefined || ifRange === tag);
  if (ranged && !asked.range && length > 0)
    return bareAnswer(416, { ...headers, 'content-range': `bytes */${length}` });
  const [start, end] = ranged && asked.range ? asked.range : [0, length];
  const part = ranged && asked.range !== null;
  return {
    status: part ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end - start),
      ...(part ? { 'content-range': `bytes ${start}-${end - 1}/${length}` } : {}),
    },
    body: asked.method === 'HEAD' ? [] : bodyOf(measurement, asked, start, end),
    ending: 'end',
  };
}

/** A part of the requested file or archive. */
export function bodyOf(
  measurement: GeneratedMeasurement,
  asked: Pick<Asked, 'what' | 'index'>,
  start: number,
  end: number,
): Iterable<Buffer> {
  if (asked.what === 'archive') return archiveSlices(measurement, start, end);
  const file = measurement.files[asked.index];
  return file ? slicesOf(file, start, end, sliceBytes) : [];
}
