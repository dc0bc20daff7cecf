import { attachment } from '../../http/semantics/content-disposition.ts';
import type { Validators } from '../../http/semantics/conditional.ts';
import { strongTag } from '../../http/semantics/entity-tags.ts';
import { httpDate } from '../../http/semantics/http-date.ts';
import { mediaTypeOf } from '../../http/semantics/media-type.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** What the head of an answer says about a representation, worked out once. */
export interface FileDescription extends Validators {
  readonly contentType: string;
  /** Of every answer about it, 304 too: names and values in turn. */
  readonly validatorHeaders: readonly string[];
  /** Of answers with a body (and of their HEAD), without length, type and range. */
  readonly bodyHeaders: readonly string[];
  /** The same and the type as they stand in a head. */
  readonly bodyLines: string;
}

// What helmet would set on a page does not fit a download, and costs 10 µs of a range request. A browser that is shown a file anyway runs nothing in it.
const safety = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy',
  'same-origin',
] as const;

/** A registered file. Last-Modified is the time of registration: an id registered anew with older bytes must not look unchanged. */
export function describeFile(row: FileRow): FileDescription {
  const sha256 = row.sha256.toString('base64');
  const etag = strongTag(`sha256-${row.sha256.toString('hex')}`);
  const fileName = row.path.slice(row.path.lastIndexOf('/') + 1);
  // The older Digest field (RFC 3230) is what aria2 verifies.
  return describe(etag, row.registered_at, mediaTypeOf(row.path), fileName, [
    'Repr-Digest',
    `sha-256=:${sha256}:`,
    'Digest',
    `SHA-256=${sha256}`,
  ]);
}

/** What is known of archives, by the row that access.ts keeps until something changes. */
export type ArchiveDescriptions = WeakMap<MeasurementRow, FileDescription>;

/** The archive of a measurement. */
export function describeArchive(measurement: MeasurementRow, known: ArchiveDescriptions): FileDescription {
  const before = known.get(measurement);
  if (before) return before;
  const etag = strongTag(`zip${measurement.archive_layout}-${measurement.archive_tag}`);
  const made = describe(
    etag,
    measurement.registered_at ?? measurement.created_at,
    'application/zip',
    `${measurement.id}.zip`,
    [],
  );
  known.set(measurement, made);
  return made;
}

/** The manifest of a measurement; its gzip form has a tag of its own, because it is other bytes. */
export function describeManifest(tag: string, measurement: MeasurementRow, packed: boolean): FileDescription {
  const etag = strongTag(packed ? `manifest-${tag}-gzip` : `manifest-${tag}`);
  const lastModified = measurement.registered_at ?? measurement.created_at;
  const validatorHeaders = validators(etag, lastModified, 'Authorization, Cookie, Accept, Accept-Encoding');
  const coding = packed ? ['Content-Encoding', 'gzip'] : [];
  return withLines(etag, lastModified, 'application/json; charset=utf-8', validatorHeaders, coding);
}

function describe(
  etag: string,
  lastModified: number,
  contentType: string,
  fileName: string,
  digests: readonly string[],
): FileDescription {
  const validatorHeaders = validators(etag, lastModified, 'Authorization');
  return withLines(etag, lastModified, contentType, validatorHeaders, [
    'Accept-Ranges',
    'bytes',
    'Content-Disposition',
    attachment(fileName),
    ...digests,
  ]);
}

function withLines(
  etag: string,
  lastModified: number,
  contentType: string,
  validatorHeaders: readonly string[],
  others: readonly string[],
): FileDescription {
  const bodyHeaders = [...validatorHeaders, ...others, ...safety];
  let bodyLines = '';
  for (let i = 0; i < bodyHeaders.length; i += 2) bodyLines += `${bodyHeaders[i]}: ${bodyHeaders[i + 1]}\r\n`;
  bodyLines += `Content-Type: ${contentType}\r\n`;
  return { etag, lastModified, contentType, validatorHeaders, bodyHeaders, bodyLines };
}

function validators(etag: string, lastModified: number, vary: string): readonly string[] {
  return ['ETag', etag, 'Last-Modified', httpDate(lastModified), 'Cache-Control', 'private, no-cache', 'Vary', vary];
}

/** Names and values in turn as fastify's reply takes them. */
export function asRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) record[headers[i] ?? ''] = headers[i + 1] ?? '';
  return record;
}
