import {
  directoryEntryLength,
  endLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
} from '../../src-shared/archive/zip-format.ts';
import { bytesOf, factsOf, type Content, type Facts } from './content.ts';

export interface GeneratedFile extends Content, Facts {
  readonly path: string;
}

/**
 * A measurement of which only its seed is stored: files, manifest and archive are generated on
 * request.
 */
export interface GeneratedMeasurement {
  readonly id: string;
  readonly files: readonly GeneratedFile[];
  readonly archiveBytes: number;
  readonly archiveTag: string;
}

/** One file of a manifest, as the API has it. */
export interface ManifestEntry {
  index: number;
  path: string;
  fileName: string;
  length: number;
  crc32: number;
  registrationTime: string;
  sha256?: string;
  _links: { download: { href: string } };
}

const registeredAt = Date.UTC(2026, 8, 1, 10, 20, 31, 123);
const sliceBytes = 256 * 1024;

/**
 * Generates a measurement; equal arguments give equal bytes. @param files path and length of each
 */
export function generateMeasurement(
  id: string,
  seed: number,
  files: readonly (readonly [path: string, length: number])[],
): GeneratedMeasurement {
  const made = files.map(([path, length], index) => {
    const content = { seed: (Math.imul(seed, 1_000_003) + index) >>> 0, length };
    return { path, ...content, ...factsOf(content) };
  });
  const { directory, total } = archivePlaces(made);
  return {
    id,
    files: made,
    archiveBytes: total + endLength(made.length, directory, total - directory),
    archiveTag: `"zip-${seed}"`,
  };
}

/** Many small files in folders. */
export function smallFiles(count: number, length: number): readonly (readonly [string, number])[] {
  return Array.from(
    { length: count },
    (_, index) => [`part ${Math.floor(index / 100)}/file-${String(index).padStart(6, '0')}.dat`, length] as const,
  );
}

/** The manifest as an object, so that tests can damage it. */
export function manifestOf(
  measurement: GeneratedMeasurement,
  withSha256 = true,
): { measurementId: string; files: ManifestEntry[] } {
  return {
    measurementId: measurement.id,
    files: measurement.files.map((file, index) => ({
      index,
      path: file.path,
      fileName: file.path.split('/').at(-1) ?? '',
      length: file.length,
      crc32: file.crc32,
      registrationTime: new Date(registeredAt).toISOString(),
      ...(withSha256 ? { sha256: file.sha256.toString('hex') } : {}),
      _links: { download: { href: `/measurements/${measurement.id}/files/${index}` } },
    })),
  };
}

/** A part of the archive, in slices, from its start offset. */
export function* archiveSlices(measurement: GeneratedMeasurement, start: number, end: number): Generator<Buffer> {
  let at = 0;
  for (const part of archiveParts(measurement)) {
    const from = Math.max(start, at);
    const to = Math.min(end, at + part.length);
    for (let next = from; next < to; next += sliceBytes)
      yield part.bytes(next - at, Math.min(next + sliceBytes, to) - at);
    at += part.length;
    if (at >= end) return;
  }
}

interface ArchivePart {
  readonly length: number;
  bytes(start: number, end: number): Buffer;
}

function* archiveParts(measurement: GeneratedMeasurement): Generator<ArchivePart> {
  const { offsets, directory, total } = archivePlaces(measurement.files);
  for (const file of measurement.files) {
    yield written(localHeaderLength(file), (target) => writeLocalHeader(target, 0, { ...file, registeredAt }));
    yield { length: file.length, bytes: (start, end) => bytesOf(file.seed, start, end) };
  }
  for (const [index, file] of measurement.files.entries()) {
    const offset = offsets[index] ?? 0;
    yield written(directoryEntryLength(file, offset), (target) =>
      writeDirectoryEntry(target, 0, { ...file, registeredAt }, offset),
    );
  }
  const last = Buffer.from(endRecords(measurement.files.length, directory, total - directory));
  yield { length: last.length, bytes: (start, end) => last.subarray(start, end) };
}

function written(length: number, write: (target: Buffer) => void): ArchivePart {
  return {
    length,
    bytes: (start, end) => {
      const target = Buffer.alloc(length);
      write(target);
      return target.subarray(start, end);
    },
  };
}

/**
 * Offsets of the members, length of the directory, and length of everything before the end records.
 */
function archivePlaces(files: readonly Pick<GeneratedFile, 'path' | 'length'>[]): {
  offsets: number[];
  directory: number;
  total: number;
} {
  const offsets: number[] = [];
  let offset = 0;
  let directory = 0;
  for (const file of files) {
    offsets.push(offset);
    directory += directoryEntryLength(file, offset);
    offset += localHeaderLength(file) + file.length;
  }
  return { offsets, directory, total: offset + directory };
}
