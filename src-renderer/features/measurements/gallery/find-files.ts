import type { FileStatus, FolderPage } from '../../../api/requests/types.ts';

/** The files of a gallery. */
export interface FoundFiles {
  readonly files: readonly FileStatus[];
  /** Number of files that were looked at, and whether the measurement has no more. */
  readonly looked: number;
  readonly isWhole: boolean;
}

export interface FindLimits {
  readonly maxFiles: number;
  /** Most pages of folders that are asked for. */
  readonly maxPages: number;
}

const defaultLimits: FindLimits = { maxFiles: 8, maxPages: 8 };

/**
 * Finds the first files with a picture: those directly in the measurement, then those in its
 * folders, each in natural order. Further pages of a folder have their turn after the other folders,
 * so that one with very many files does not hide the rest. Files with problems are left out, because
 * readers are refused them.
 *
 * @param after of `readPage` is the cursor of the page before; -1 for the first.
 */
export async function findFiles(
  readPage: (path: string, after: number) => Promise<FolderPage>,
  isWanted: (path: string) => boolean,
  { maxFiles, maxPages }: FindLimits = defaultLimits,
): Promise<FoundFiles> {
  const open: { readonly path: string; readonly after: number }[] = [{ path: '', after: -1 }];
  const files: FileStatus[] = [];
  let looked = 0;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const place = open.shift();
    if (place === undefined) break;
    const { entries, next } = await readPage(place.path, place.after);
    for (const { name, file, folder } of entries) {
      if (folder !== null) open.push({ path: place.path === '' ? name : `${place.path}/${name}`, after: -1 });
      if (file === null) continue;
      looked += 1;
      if (file.state === 'ok' && isWanted(file.path)) files.push(file);
      if (files.length === maxFiles) return { files, looked, isWhole: false };
    }
    if (next !== null) open.push({ path: place.path, after: next });
  }
  return { files, looked, isWhole: open.length === 0 };
}
