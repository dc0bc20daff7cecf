import { hash } from 'node:crypto';
import { attachment } from '../../http/semantics/content-disposition.ts';
import type { Validators } from '../../http/semantics/conditional.ts';
import { strongTag } from '../../http/semantics/entity-tags.ts';
import { httpDate } from '../../http/semantics/http-date.ts';
import { mediaTypeOf } from '../../http/semantics/media-type.ts';
import type { FileSelection } from '../../files/file-ranges.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** Headers and validators of a representation, computed once. */
export interface FileDescription extends Validators {
  readonly contentType: string;
  /** Headers of every response, including 304, as alternating names and values. */
  readonly validatorHeaders: readonly string[];
  /** Headers of a response with a body and of its HEAD, except length, type and range. */
  readonly bodyHeaders: readonly string[];
  /** `bodyHeaders` and Content-Type as lines of a head. */
  readonly bodyLines: string;
}

// Helmet's headers do not suit a download and cost 10 µs per range request. These keep a browser
// from running anything in a displayed file.
const safety = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy',
  'same-origin',
] as const;

/**
 * Describes a registered file. Last-Modified is the time of registration: an id that is registered
 * again with older bytes must not look unchanged.
 */
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

/** Cache of archive descriptions, keyed by the cached measurement row. */
export type ArchiveDescriptions = WeakMap<MeasurementRow, FileDescription>;

/** Describes the archive of a measurement. */
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

/** Describes the archive of some files of a measurement. */
export function describeSelection(measurement: MeasurementRow, { digest }: FileSelection): FileDescription {
  const tag = hash('sha256', `${measurement.archive_tag} ${digest}`);
  return describe(
    strongTag(`zip${measurement.archive_layout}-files-${tag}`),
    measurement.registered_at ?? measurement.created_at,
    'application/zip',
    `${measurement.id}-files.zip`,
    [],
  );
}

/**
 * Describes the manifest of a measurement; the gzip form has its own ETag, because its bytes
 * differ.
 */
export function describeManifest(tag: string, measurement: MeasurementRow, packed: boolean): FileDescription {
  const etag = strongTag(packed ? `manifest-${tag}-gzip` : `manifest-${tag}`);
  const lastModified = measurement.registered_at ?? measurement.created_at;
  const validatorHeaders = validators(etag, lastModified, 'Authorization, Cookie, Accept, Accept-Encoding');
  const coding = packed ? ['Content-Encoding', 'gzip'] : [];
  return withLines(etag, lastModified, 'application/json; charset=utf-8', validatorHeaders, coding);
}

/** Describes the list of the hashes of a file's pieces. */
export function describePieces(etag: string, lastModified: number): FileDescription {
  const headers = validators(etag, lastModified, 'Authorization, Cookie');
  return withLines(etag, lastModified, 'application/json; charset=utf-8', headers, []);
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

/** Converts alternating names and values to a record, as fastify's reply expects. */
export function headerRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) record[headers[i] ?? ''] = headers[i + 1] ?? '';
  return record;
}
