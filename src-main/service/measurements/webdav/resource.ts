import { HttpProblem, invalidRequest } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import type { MeasurementAccess } from '../access/access.ts';
import type { FileRow, FilesStore } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** A folder of a measurement; its files are those with an index from `first` up to but excluding `end`. */
export interface FolderResource {
  readonly kind: 'folder';
  readonly measurement: MeasurementRow;
  /** Path with a slash at its end; empty for the measurement itself. */
  readonly prefix: string;
  readonly first: number;
  readonly end: number;
}

/** A resource below /dav/: all measurements, a folder of one, or a file. */
export type Resource =
  | { readonly kind: 'root' }
  | FolderResource
  | { readonly kind: 'file'; readonly measurement: MeasurementRow; readonly file: FileRow };

export interface ResourceDeps {
  readonly access: MeasurementAccess;
  readonly files: Pick<FilesStore, 'at' | 'firstNotBefore'>;
}

/**
 * The parts of a path below /dav, decoded and in NFC, in which names are stored: macOS sends others.
 *
 * @throws HttpProblem 400 for a broken percent-encoding.
 */
export function pathParts(url: string): readonly string[] {
  const path = url.split('?', 1)[0] ?? '';
  try {
    return path
      .split('/')
      .slice(2)
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part).normalize('NFC'));
  } catch {
    throw invalidRequest('The address has a broken percent-encoding.');
  }
}

/**
 * Finds what an address names.
 *
 * @throws HttpProblem 404 where there is nothing, 403 for a measurement that the user may not read.
 */
export async function findResource(
  { access, files }: ResourceDeps,
  principal: Principal,
  parts: readonly string[],
): Promise<Resource> {
  const [id, ...names] = parts;
  if (id === undefined) return { kind: 'root' };
  const measurement = await access.readable(principal, id);
  const count = measurement.file_count;
  if (names.length === 0) return { kind: 'folder', measurement, prefix: '', first: 0, end: count };
  const path = names.join('/');
  const index = await files.firstNotBefore(measurement.id, path, 0, count);
  const file = await files.at(measurement.id, index);
  if (file?.path === path) return { kind: 'file', measurement, file };
  const prefix = `${path}/`;
  const first = await files.firstNotBefore(measurement.id, prefix, index, count);
  const end = await afterFolder(files, measurement, prefix, first);
  if (end === first) throw new HttpProblem(404, `There is nothing at this path of measurement ${measurement.id}.`);
  return { kind: 'folder', measurement, prefix, first, end };
}

/** The index after the last file below a folder, whose path ends with a slash. */
export async function afterFolder(
  files: Pick<FilesStore, 'firstNotBefore'>,
  { id, file_count: count }: Pick<MeasurementRow, 'id' | 'file_count'>,
  prefix: string,
  from: number,
): Promise<number> {
  // 0 is the character after the slash.
  return files.firstNotBefore(id, `${prefix.slice(0, -1)}0`, from, count);
}
