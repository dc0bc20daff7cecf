import { httpDate } from '../../http/semantics/http-date.ts';
import { describeFile } from '../content/serve-headers.ts';
import type { FileRow } from '../store/files-store.ts';
import { xmlText } from './xml-text.ts';

/** Of what a response of a multistatus is. */
export interface Described {
  /** Address with the path of the base URL, percent-encoded; a folder's ends with a slash. */
  readonly href: string;
  readonly name: string;
  /** Milliseconds since 1970; null for the folder of all measurements, which is made for each request. */
  readonly createdAt: number | null;
  readonly changedAt: number | null;
  /** Null for a folder. */
  readonly file: FileRow | null;
}

type Property = (of: Described) => string | null;

/**
 * The properties that resources have (RFC 4918 section 15), each as XML; null for one that a resource
 * lacks. Last-Modified is that of GET, the time of registration (section 15.7).
 */
export const properties: ReadonlyMap<string, Property> = new Map<string, Property>([
  ['resourcetype', ({ file }) => (file ? '' : '<D:collection/>')],
  ['displayname', ({ name }) => xmlText(name)],
  ['creationdate', ({ createdAt }) => (createdAt === null ? null : new Date(createdAt).toISOString())],
  ['getlastmodified', ({ changedAt }) => (changedAt === null ? null : httpDate(changedAt))],
  ['getcontentlength', ({ file }) => file && String(file.length)],
  ['getcontenttype', ({ file }) => file && xmlText(describeFile(file).contentType)],
  ['getetag', ({ file }) => file && xmlText(describeFile(file).etag)],
  // Class 1 has no locks, and says so with an empty list.
  ['supportedlock', () => ''],
]);

/** Describes a file; its own modification time is its creation date, where it has a plausible one. */
export function describedFile(href: string, file: FileRow): Described {
  const mtime = Number(BigInt(file.mtime_ns) / 1_000_000n);
  const isPlausible = mtime > 0 && mtime <= file.registered_at;
  return {
    href,
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    createdAt: isPlausible ? mtime : file.registered_at,
    changedAt: file.registered_at,
    file,
  };
}
