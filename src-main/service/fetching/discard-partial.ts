import { lstat, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { archiveName } from './engine/list-files.ts';
import { openTarget } from './engine/target-folder.ts';
import type { Target } from './engine/target.ts';
import type { FetchFilesStore } from './fetch-files-store.ts';
import type { FetchRow } from './fetch-row.ts';

/** A fetch that does not go on. */
export type Abandoned = Pick<FetchRow, 'id' | 'target' | 'what' | 'measurement_id'>;

// A few system calls each; what else the process does gets its turn between.
const atOnce = 200;

/** Removes what is only half there of a fetch, and the folders that are empty then. A folder that is not there, or not to be opened, keeps what it has. */
export async function discardPartial(files: FetchFilesStore, fetch: Abandoned): Promise<void> {
  if (!(await isFolder(fetch.target))) return;
  const target = await openTarget(fetch.target);
  const folders = new Set<string>();
  try {
    await discardEach(files, fetch.id, target, folders);
    // It has come, but keeps the name of an unfinished file until it is proven.
    if (fetch.what === 'archive') target.discard(archiveName(fetch.measurement_id));
  } finally {
    target.close();
  }
  // The deepest first: a folder is empty when those in it are gone.
  for (const folder of [...folders].toSorted((a, b) => b.length - a.length)) await removeEmpty(target.folder, folder);
  await removeEmpty(path.dirname(target.folder), path.basename(target.folder));
}

async function discardEach(files: FetchFilesStore, fetchId: number, target: Target, folders: Set<string>): Promise<void> {
  for (let after = -1; ;) {
    const some = await files.unfinished(fetchId, after, atOnce);
    for (const { path: file } of some) {
      target.discard(file);
      for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) folders.add(folder);
    }
    const last = some.at(-1);
    if (!last || some.length < atOnce) return;
    after = last.idx;
    await new Promise(setImmediate);
  }
}

async function removeEmpty(base: string, folder: string): Promise<void> {
  const names = folder.split('/');
  // Through no link: what lies elsewhere is not ours.
  for (let depth = 1; depth <= names.length; depth += 1) if (!(await isFolder(path.join(base, ...names.slice(0, depth))))) return;
  await rmdir(path.join(base, ...names)).catch(() => {});
}

async function isFolder(folder: string): Promise<boolean> {
  return lstat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
