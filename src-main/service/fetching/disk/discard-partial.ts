import { closeSync } from 'node:fs';
import { lstat, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { zipNames } from '../../files/zip-list.ts';
import { archiveName } from '../engine/run/list-files.ts';
import { plainPath, unsafePath } from '../engine/target/safe-path.ts';
import { TargetError } from '../../files/target-folder-error.ts';
import { openTarget } from '../engine/target/target-folder.ts';
import type { Target } from '../engine/target/target.ts';
import type { FetchFilesStore } from '../store/fetch-files-store.ts';
import type { FetchRow } from '../store/fetch-row.ts';

/** A fetch that does not go on. */
export type Abandoned = Pick<FetchRow, 'id' | 'target' | 'what' | 'unpack' | 'measurement_id'>;

// A few system calls each; what else the process does gets its turn between.
const filesPerTurn = 200;

/** Removes what is only half there of a fetch, and the folders that are empty then. A folder that is not there, or not to be opened, keeps what it has. */
export async function discardPartial(files: FetchFilesStore, fetch: Abandoned): Promise<void> {
  if (!(await isFolder(fetch.target))) return;
  const target = await openTarget(fetch.target);
  const folders = new Set<string>();
  try {
    // Before the archive itself, which has their names.
    if (fetch.what === 'archive' && fetch.unpack !== 0)
      await discardMembers(target, archiveName(fetch.measurement_id), folders);
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

async function discardEach(
  files: FetchFilesStore,
  fetchId: number,
  target: Target,
  folders: Set<string>,
): Promise<void> {
  for (let after = -1; ;) {
    const some = await files.unfinished(fetchId, after, filesPerTurn);
    for (const { path: file } of some) {
      target.discard(file);
      addFoldersOf(file, folders);
    }
    const last = some.at(-1);
    if (!last || some.length < filesPerTurn) return;
    after = last.idx;
    await new Promise(setImmediate);
  }
}

/**
 * Removes the unfinished members that a kill has left while an archive was unpacked. The journal does not know them, the archive does. Members that have
 * their final names stay, as files do.
 */
async function discardMembers(target: Target, archive: string, folders: Set<string>): Promise<void> {
  const fd = openArchive(target, archive);
  if (fd === null) return;
  try {
    let count = 0;
    for await (const name of zipNames(fd)) {
      // A manifest may have a name in another Unicode form than the archive.
      for (const form of new Set([name, name.normalize('NFC'), name.normalize('NFD')]))
        discardMember(target, plainPath(form), folders);
      count += 1;
      if (count % filesPerTurn === 0) await new Promise(setImmediate);
    }
  } catch (error) {
    // What is no whole archive was never unpacked.
    if (errorCode(error) !== '') throw error;
  } finally {
    closeSync(fd);
  }
}

function openArchive(target: Target, archive: string): number | null {
  try {
    return target.reopen(archive) ?? target.openFinished(archive);
  } catch (error) {
    if (error instanceof TargetError) return null;
    throw error;
  }
}

function discardMember(target: Target, file: string, folders: Set<string>): void {
  if (unsafePath(file) !== null) return;
  try {
    target.discard(file);
    addFoldersOf(file, folders);
  } catch (error) {
    // One that cannot be reached is no reason to leave the others.
    if (!(error instanceof TargetError)) throw error;
  }
}

function addFoldersOf(file: string, folders: Set<string>): void {
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) folders.add(folder);
}

async function removeEmpty(base: string, folder: string): Promise<void> {
  const names = folder.split('/');
  // Through no link: what lies elsewhere is not ours.
  for (let depth = 1; depth <= names.length; depth += 1)
    if (!(await isFolder(path.join(base, ...names.slice(0, depth))))) return;
  await rmdir(path.join(base, ...names)).catch(() => {});
}

async function isFolder(folder: string): Promise<boolean> {
  return lstat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
