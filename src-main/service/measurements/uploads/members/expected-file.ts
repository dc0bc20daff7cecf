import path from 'node:path';
import type { MemberHeader } from '../../../../../src-shared/archive/zip-format.ts';

/** A file as the manifest of its upload announces it. */
export interface ExpectedFile extends MemberHeader {
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Sizes of the archive that follow from the manifest of an upload. */
export interface ExpectedArchive {
  readonly files: number;
  readonly directoryOffset: number;
  readonly archiveBytes: number;
}

/** Of one upload. */
export const maxUploadedFiles = 1_000_000;
export const manifestName = 'manifest.ndjson';
export const journalName = 'received.ndjson';
const filesPerFolder = 1000;

/** The line of a file in the stored manifest, which is in archive order. */
export function lineOf({ path: name, length, crc32, sha256, registeredAt }: ExpectedFile): string {
  return `${JSON.stringify([name, length, crc32, sha256, registeredAt])}\n`;
}

export function fileOfLine(line: string): ExpectedFile {
  const [name, length, crc32, sha256, registeredAt] = JSON.parse(line) as [string, number, number, string, number];
  return { path: name, length, crc32, sha256, registeredAt };
}

/** Where the bytes of a file are kept until its upload is registered. */
export function memberFile(folder: string, index: number): string {
  return path.join(folder, 'files', String(Math.floor(index / filesPerFolder)), String(index));
}
