import { compareCodePoints } from '../../../../src-shared/measurement-names.ts';
import { bytesBetween, type MemberPlace } from '../../archive/bytes-between.ts';
import type { Database, Reading } from '../../database/port/database.ts';
import { inNumbers } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import { one } from '../../database/port/steps.ts';
import type { FileOrdersStore } from './file-orders-store.ts';
import { filesStore, type FileRow, type FilesStore } from './files-store.ts';
import { treeKey } from './natural-key.ts';

/** A file or folder directly in a folder. */
export type FolderEntryRow =
  | { readonly kind: 'file'; readonly name: string; readonly row: FileRow }
  | {
      readonly kind: 'folder';
      readonly name: string;
      /** Indexes of the first and the last file below it. */
      readonly first: number;
      readonly last: number;
      /** Sum of the lengths of the files below it. */
      readonly bytes: number;
      /** Number of files below it that are not as registered. */
      readonly problems: number;
    };

export interface FolderQuery {
  /** Without a slash at its end; empty for all of the measurement. */
  readonly path: string;
  /** Cursor of the page before; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface FoldersStore {
  /** Returns what is directly in a folder, in natural order; null where there is no such folder. */
  page(
    measurementId: string,
    query: FolderQuery,
  ): Promise<{ readonly entries: readonly FolderEntryRow[]; readonly next: number | null } | null>;
}

/** Files of a folder: `files` indexes from `first` on. */
interface Range {
  readonly first: number;
  readonly files: number;
}

const filesPerStep = 256;

const rowsOf = read<[string, string], FileRow>(
  `SELECT * FROM measurement_files WHERE measurement_id = ? AND ${inNumbers('idx', '?')}`,
);
const pathAt = readValue<[string, number], string>(
  'SELECT path FROM measurement_files WHERE measurement_id = ? AND idx = ?',
);
const placeInArchive = read<[string, number], MemberPlace>(
  'SELECT length, archive_offset, directory_offset FROM measurement_files WHERE measurement_id = ? AND idx = ?',
);
const problemsBetween = readValue<[string, number, number], number>(
  `SELECT count(*) FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ? AND state <> 'ok'`,
);

/**
 * Folders of measurements. No table of them is kept: the files below a folder stand together in the
 * manifest and in natural order, so that a folder is found by bisection, and one that goes on beyond
 * a step is skipped without reading its files.
 */
export function foldersStore(database: Database, orders: FileOrdersStore): FoldersStore {
  const files: Pick<FilesStore, 'firstNotBefore'> = filesStore(database);

  async function rangeOf(measurementId: string, prefix: string, count: number): Promise<Range> {
    if (prefix === '') return { first: 0, files: count };
    const first = await files.firstNotBefore(measurementId, prefix, 0, count);
    // 0 is the character after the slash.
    const end = await files.firstNotBefore(measurementId, `${prefix.slice(0, -1)}0`, first, count);
    return { first, files: end - first };
  }

  /** Returns the place in natural order of the first file below a folder. */
  async function placeOf(measurementId: string, prefix: string, count: number): Promise<number> {
    const key = treeKey(prefix);
    let low = 0;
    let high = prefix === '' ? 0 : count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [index = 0] = await orders.indexesAt(measurementId, 'path', middle, 1);
      const path = (await database.one(pathAt, measurementId, index)) ?? '';
      if (compareCodePoints(treeKey(path), key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async function rowsAt(measurementId: string, place: number, wanted: number): Promise<readonly FileRow[]> {
    const indexes = await orders.indexesAt(measurementId, 'path', place, wanted);
    const rows = await database.all(rowsOf, measurementId, JSON.stringify(indexes));
    const byIndex = new Map(rows.map((row) => [row.idx, row]));
    return indexes.flatMap((index) => byIndex.get(index) ?? []);
  }

  async function wholeFolder(measurementId: string, name: string, prefix: string, count: number) {
    const { first, files: below } = await rangeOf(measurementId, prefix, count);
    const last = first + below - 1;
    return {
      kind: 'folder',
      name,
      first,
      last,
      bytes: await database.read(() => bytesBetween((index) => memberAt(measurementId, index), first, last)),
      problems: (await database.one(problemsBetween, measurementId, first, last)) ?? 0,
    } as const;
  }

  return {
    page: async (measurementId, { path, after, limit }) => {
      if (!(await orders.make(measurementId, 'path'))) return null;
      const count = await orders.count(measurementId);
      const prefix = path === '' ? '' : `${path}/`;
      const range = await rangeOf(measurementId, prefix, count);
      if (range.files === 0 && prefix !== '') return null;
      const begin = await placeOf(measurementId, prefix, count);
      const end = begin + range.files;
      const entries: FolderEntryRow[] = [];
      let place = Math.max(after + 1, begin);
      while (place < end && entries.length < limit) {
        const rows = await rowsAt(measurementId, place, Math.min(filesPerStep, end - place));
        if (rows.length === 0) break;
        const step = entriesIn(rows, prefix, limit - entries.length, place + rows.length < end);
        entries.push(...step.entries);
        place += step.files;
        if (step.open !== null && entries.length < limit) {
          const folder = await wholeFolder(measurementId, step.open, `${prefix}${step.open}/`, count);
          entries.push(folder);
          place += Math.max(1, folder.last - folder.first + 1);
        }
        await new Promise(setImmediate);
      }
      return { entries, next: place < end ? place - 1 : null };
    },
  };
}

function* memberAt(measurementId: string, index: number): Reading<MemberPlace> {
  const place = yield* one(placeInArchive, measurementId, index);
  if (place === null) throw new Error(`measurement ${measurementId} has no file ${index}`);
  return place;
}

interface Step {
  readonly entries: readonly FolderEntryRow[];
  /** Number of files that the entries stand for. */
  readonly files: number;
  /** Name of the folder that follows and may go on beyond the rows; null where none does. */
  readonly open: string | null;
}

/** Puts rows of a folder together to at most `limit` entries. @param more whether rows follow. */
function entriesIn(rows: readonly FileRow[], prefix: string, limit: number, more: boolean): Step {
  const entries: FolderEntryRow[] = [];
  let at = 0;
  while (at < rows.length && entries.length < limit) {
    const row = rows[at];
    if (row === undefined) break;
    const name = folderIn(row.path, prefix);
    if (name === null) {
      entries.push({ kind: 'file', name: row.path.slice(prefix.length), row });
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < rows.length && folderIn(rows[end]?.path ?? '', prefix) === name) end += 1;
    if (end === rows.length && more) return { entries, files: at, open: name };
    entries.push(folderOf(name, rows.slice(at, end)));
    at = end;
  }
  return { entries, files: at, open: null };
}

/** The name of the folder below `prefix` in which a file is; null for a file directly in it. */
function folderIn(path: string, prefix: string): string | null {
  const slash = path.indexOf('/', prefix.length);
  return slash < 0 ? null : path.slice(prefix.length, slash);
}

function folderOf(name: string, below: readonly FileRow[]): FolderEntryRow {
  const indexes = below.map(({ idx }) => idx);
  return {
    kind: 'folder',
    name,
    first: Math.min(...indexes),
    last: Math.max(...indexes),
    bytes: below.reduce((sum, { length }) => sum + length, 0),
    problems: below.filter(({ state }) => state !== 'ok').length,
  };
}
