import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { countOf } from '../../common/count-of.ts';
import { syncFolder } from '../../database/sync-folder.ts';
import { shownName } from '../../files/inspect-findings.ts';
import { TargetError } from '../../files/target-folder-error.ts';
import { archiveName } from '../engine/run/list-files.ts';
import { partialName } from '../engine/target/safe-path.ts';
import { openTarget } from '../engine/target/target-folder.ts';
import type { Journal } from '../engine/types.ts';
import type { FetchFilesStore } from '../store/fetch-files-store.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchesStore } from '../store/fetches-store.ts';
import { FreeNames, freeFolder } from './free-names.ts';

export interface KeepBothDeps {
  readonly fetches: FetchesStore;
  readonly files: FetchFilesStore;
  readonly journal: Journal;
}

const filesPerTurn = 100;

/**
 * Gives what a fetch could not store, because something has its name, a free one: files and a ZIP
 * in their folder, the folder itself or that of an archive to unpack beside it. The names are in
 * rows before anything is fetched under them. Nothing that is there is changed.
 *
 * @returns whether the fetch can go on; false for names that have no free form.
 * @throws an error of the disk.
 */
export async function keepBoth(deps: KeepBothDeps, row: FetchRow): Promise<boolean> {
  if (await isNoFolder(row.target)) return toOtherFolder(deps, row);
  if (row.what === 'files') return renameFiles(deps, row);
  return row.unpack === 1 ? toOtherFolder(deps, row) : renameArchive(deps, row);
}

async function isNoFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

async function renameFiles({ fetches, files, journal }: KeepBothDeps, { id, target }: FetchRow): Promise<boolean> {
  const others = (await fetches.ofTarget(target)).filter((row) => row.id !== id && row.ended_at === null);
  const names = new FreeNames(target, await files.numberedPaths(target));
  let first: { readonly from: string; readonly to: string } | null = null;
  let [renamed, refused] = [0, 0];
  for (let after = -1; ;) {
    const some = await files.nameTaken(id, after, filesPerTurn);
    const moves: { idx: number; path: string }[] = [];
    for (const { idx, path: from } of some) {
      const to = await names.pathFor(from);
      if (to === null) refused += 1;
      else {
        moves.push({ idx, path: to });
        if (to !== from) first ??= { from, to };
      }
    }
    await files.rename(id, moves);
    // Partial files may belong to another fetch of this folder.
    if (others.length === 0 && some.length > 0) await discardPartials(target, some);
    renamed += moves.length;
    const last = some.at(-1);
    if (last === undefined || some.length < filesPerTurn) break;
    after = last.idx;
  }
  if (first !== null) await journal.log(id, 'info', lineOf(first.from, first.to, renamed - 1));
  // Without any, an earlier attempt was ended between the rows and the state of the fetch.
  return renamed > 0 || refused === 0;
}

/** Removes what came under the names that are given up; the files are fetched again. */
async function discardPartials(folder: string, files: readonly { readonly path: string }[]): Promise<void> {
  const target = await openTarget(folder);
  try {
    for (const file of files) {
      try {
        target.discard(file.path);
      } catch (error) {
        // Below a link or a file in the place of a folder there is none.
        if (!(error instanceof TargetError)) throw error;
      }
    }
  } finally {
    target.close();
  }
}

async function renameArchive({ files, journal }: KeepBothDeps, row: FetchRow): Promise<boolean> {
  const { id, target } = row;
  const from = (await files.archivePath(id)) ?? archiveName(row.measurement_id);
  const to = await new FreeNames(target, await files.numberedPaths(target)).pathFor(from);
  if (to === null) return false;
  // The bytes first: if the process ends before the row is written, the next attempt finds them
  // under the name that it chooses again.
  if (to !== from && (await moved(target, partialName(from), target, partialName(to)))) syncFolder(target);
  await files.rename(id, [{ idx: 0, path: to }]);
  if (to !== from) await journal.log(id, 'info', lineOf(from, to, 0));
  return true;
}

async function toOtherFolder({ fetches, journal }: KeepBothDeps, row: FetchRow): Promise<boolean> {
  const isUsed = async (candidate: string): Promise<boolean> => (await fetches.ofTarget(candidate)).length > 0;
  const to = await freeFolder(row.target, isUsed);
  if (to === null) return false;
  if (row.what === 'archive' && row.bytes_done > 0) {
    await mkdir(to, { recursive: true });
    const partial = partialName(archiveName(row.measurement_id));
    if (await moved(row.target, partial, to, partial)) syncFolder(to);
  }
  await fetches.update(row.id, { target: to });
  await journal.log(row.id, 'info', lineOf(path.basename(row.target), path.basename(to), 0));
  return true;
}

/** @returns false when there is nothing to move, also because it was moved before. */
async function moved(fromFolder: string, from: string, toFolder: string, to: string): Promise<boolean> {
  try {
    await rename(path.join(fromFolder, from), path.join(toFolder, to));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

function lineOf(from: string, to: string, more: number): string {
  const others = more === 0 ? '' : ` So are ${countOf(more, 'other file')} under free names.`;
  return `Kept both: ${shownName(from)} is there already, so this is stored as ${shownName(to)}.${others}`;
}
