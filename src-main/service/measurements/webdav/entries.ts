import type { Principal } from '../../http/principal.ts';
import type { FileRow, FilesStore } from '../store/files-store.ts';
import type { MeasurementRow, MeasurementsStore } from '../store/measurements-store.ts';
import { afterFolder, type FolderResource } from './resource.ts';

/** A file or folder directly in a folder. */
export type Entry =
  | { readonly kind: 'folder'; readonly name: string }
  | { readonly kind: 'file'; readonly file: FileRow };

const filesPerPage = 256;
const measurementsPerPage = 100;

/**
 * Yields what is directly in a folder, in pages. A folder in it that goes on beyond a page is skipped
 * by its order, without reading its files.
 */
export async function* entriesOf(
  files: Pick<FilesStore, 'from' | 'firstNotBefore'>,
  { measurement, prefix, first, end }: FolderResource,
): AsyncGenerator<readonly Entry[]> {
  for (let index = first; index < end;) {
    const rows = await files.from(measurement.id, index, Math.min(filesPerPage, end - index));
    const last = rows.at(-1);
    if (!last) return;
    const entries: Entry[] = [];
    let inside: string | null = null;
    for (const file of rows) {
      const slash = file.path.indexOf('/', prefix.length);
      const name = slash < 0 ? null : file.path.slice(prefix.length, slash);
      if (name === null) entries.push({ kind: 'file', file });
      else if (name !== inside) entries.push({ kind: 'folder', name });
      inside = name;
    }
    yield entries;
    index = last.idx + 1;
    if (inside !== null) index = await afterFolder(files, measurement, `${prefix}${inside}/`, index);
    await new Promise(setImmediate);
  }
}

/** Yields the measurements that a user may read, in pages, until the credential is no longer valid. */
export async function* readableMeasurements(
  measurements: Pick<MeasurementsStore, 'list'>,
  principal: Principal,
): AsyncGenerator<readonly MeasurementRow[]> {
  const listing = {
    visibleTo: principal.isAdmin ? null : principal.userId,
    search: '',
    sort: 'id',
    descending: false,
    limit: measurementsPerPage,
    offset: 0,
  } as const;
  for (let page = await measurements.list({ ...listing, now: Date.now() }); ;) {
    // One that is being registered has no files yet.
    yield page.rows.filter(({ state }) => state !== 'registering');
    if (page.next === null) return;
    if (!(await principal.stillValid())) throw new Error('the credential ended while measurements were listed');
    page = await measurements.list({ ...listing, after: page.next, now: Date.now() });
  }
}
