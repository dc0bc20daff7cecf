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

/** A fetch that was given up. */
export type Abandoned = Pick<FetchRow, 'id' | 'target' | 'what' | 'unpack' | 'measurement_id'>;

// Each takes a few system calls; the event loop runs between batches.
const filesPerTurn = 200;

/**
 * Removes the partial files of a fetch, and the folders that are empty afterwards. A folder that is
 * missing or cannot be opened is left as it is.
 */
export async function discardPartial(files: FetchFilesStore, fetch: Abandoned): Promise<void> {
  if (!(await isFolder(fetch.target))) return;
  const target = await openTarget(fetch.target);
  const folders = new Set<string>();
  try {
    // Before the archive itself is removed, because it holds the member names.
    if (fetch.what === 'archive' && fetch.unpack !== 0)
      await discardMembers(target, archiveName(fetch.measurement_id), folders);
    await discardEach(files, fetch.id, target, folders);
    // A complete archive keeps its partial name until it is verified.
    if (fetch.what === 'archive')
      target.discard((await files.archivePath(fetch.id)) ?? archiveName(fetch.measurement_id));
  } finally {
    target.close();
  }
  // Deepest first: a folder is empty once its subfolders are removed.
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
 * Removes partial members left by a process that was killed while unpacking. Only the archive lists
 * them; the journal does not. Members under their final names stay, like finished files.
 */
async function discardMembers(target: Target, archive: string, folders: Set<string>): Promise<void> {
  const fd = openArchive(target, archive);
  if (fd === null) return;
  try {
    let count = 0;
    for await (const name of zipNames(fd)) {
      // The manifest may use another Unicode form than the archive.
      for (const form of new Set([name, name.normalize('NFC'), name.normalize('NFD')]))
        discardMember(target, plainPath(form), folders);
      count += 1;
      if (count % filesPerTurn === 0) await new Promise(setImmediate);
    }
  } catch (error) {
    // An incomplete archive was never unpacked.
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
    // An unreachable member must not keep the others from being removed.
    if (!(error instanceof TargetError)) throw error;
  }
}

function addFoldersOf(file: string, folders: Set<string>): void {
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) folders.add(folder);
}

async function removeEmpty(base: string, folder: string): Promise<void> {
  const names = folder.split('/');
  // Never follow links: their targets do not belong to this fetch.
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
