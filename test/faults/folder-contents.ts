import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { archiveSlices, type GeneratedMeasurement } from './measurement.ts';

/** Suffix of the names of incomplete files. */
export const partialEnding = '.benchport-part';

/**
 * The expected files after a fetch of some or all files of a measurement: SHA-256 in hexadecimal by
 * path.
 */
export function filesOf(
  measurement: GeneratedMeasurement,
  chosen: (path: string, index: number) => boolean = () => true,
): ReadonlyMap<string, string> {
  return new Map(
    measurement.files
      .filter((file, index) => chosen(file.path, index))
      .map((file) => [file.path, file.sha256.toString('hex')]),
  );
}

/**
 * The expected files after a fetch of a measurement as one archive: SHA-256 in hexadecimal by path.
 */
export function archiveOf(measurement: GeneratedMeasurement): ReadonlyMap<string, string> {
  const hash = createHash('sha256');
  for (const slice of archiveSlices(measurement, 0, measurement.archiveBytes)) hash.update(slice);
  return new Map([[`${measurement.id}.zip`, hash.digest('hex')]]);
}

/** Paths of everything but folders below a folder, `/`-separated and sorted. */
export function filesBelow(folder: string): readonly string[] {
  return entriesBelow(folder)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** SHA-256 of every file below a folder, by path. */
export function digestsBelow(
  folder: string,
  which: (path: string) => boolean = () => true,
): ReadonlyMap<string, string> {
  return new Map(
    filesBelow(folder)
      .filter(which)
      .map((file) => [file, digestOf(path.join(folder, file))]),
  );
}

function entriesBelow(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    // Missing, or removed by a test at this moment.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function digestOf(file: string): string {
  // The service creates no links and pipes.
  return lstatSync(file).isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'not a file';
}
