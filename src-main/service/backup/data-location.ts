import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { syncFolder } from '../database/sync-folder.ts';
import { StartError } from '../common/start-error.ts';
import { readNote, writeNote } from './note-file.ts';
import { refuseForeign } from './refuse-foreign.ts';

const Pointer = Type.Object({ to: Type.String(), at: Type.Number() });
const MovedNote = Type.Object({ from: Type.String(), moved_at: Type.String() });
/** What data that were moved say of where they came from. */
export type MovedNote = Static<typeof MovedNote>;
const MoveRequest = Type.Object({ to: Type.String() });
const FailedMove = Type.Object({ at: Type.String(), reason: Type.String() });
/** A move that was asked for and could not be done. */
export type FailedMove = Static<typeof FailedMove>;

const pointers = Compile(Pointer);
const notes = Compile(MovedNote);
const moveRequests = Compile(MoveRequest);
const failures = Compile(FailedMove);

/** Beside the directory and not in it: the old one may be deleted, and then still has to lead to the new one. */
const pointerFile = (dataDir: string): string => `${dataDir}.moved.json`;
const noteFile = (dataDir: string): string => path.join(dataDir, 'moved.json');
const moveRequestFile = (dataDir: string): string => path.join(dataDir, 'move-wanted.json');
const failureFile = (dataDir: string): string => path.join(dataDir, 'move-failed.json');

/** Where data are copied to before they are in use. */
export function movingPlace(to: string): string {
  return `${to}.moving`;
}

/**
 * Where the data of a directory really lie: there, or where they were moved to. A move that was killed after its data were whole is finished here.
 *
 * @throws StartError when they were moved to a place that is not there now, such as a disk that is not connected, or another user says that they were.
 */
export function locateData(dataDir: string): string {
  let [here, since] = [dataDir, 0];
  for (;;) {
    refuseForeign(pointerFile(here), here);
    const pointer = readNote(pointerFile(here), pointers);
    // An older pointer is that of a place that data have come back to.
    if (!pointer || pointer.at <= since) return here;
    const { to, at } = pointer;
    refuseForeign(movingPlace(to), here);
    if (existsSync(movingPlace(to)) && !existsSync(to)) finishMove(to);
    if (!existsSync(to) && !existsSync(pointerFile(to))) {
      throw new StartError(
        'data-unusable',
        `The data of ${dataDir} was moved to ${to}, which does not exist. Connect its disk. To use the old data instead, remove ${pointerFile(here)}.`,
      );
    }
    [here, since] = [to, at];
  }
}

/** From here on the data in `to` count: the copy is whole and on disk, under the name it has while it is made. */
export function commitMove(from: string, to: string): void {
  const now = Date.now();
  const note: MovedNote = { from, moved_at: new Date(now).toISOString() };
  writeNote(noteFile(movingPlace(to)), note);
  const pointer = pointerFile(from);
  writeNote(`${pointer}.partial`, { to, at: now } satisfies Static<typeof Pointer>);
  renameSync(`${pointer}.partial`, pointer);
  syncFolder(path.dirname(pointer));
  finishMove(to);
}

function finishMove(to: string): void {
  renameSync(movingPlace(to), to);
  syncFolder(path.dirname(to));
}

/** Where the data of a directory came from, if they were moved there. */
export const readMovedNote = (dataDir: string): MovedNote | null => readNote(noteFile(dataDir), notes);
/** Why the last move from a directory failed, until another is wanted. */
export const readFailedMove = (dataDir: string): FailedMove | null => readNote(failureFile(dataDir), failures);

/** Says that the data are to be moved at the next start of the service. */
export function requestMove(dataDir: string, to: string): void {
  rmSync(failureFile(dataDir), { force: true });
  writeNote(moveRequestFile(dataDir), { to });
}

/** Where the data are to be moved now; null when nothing was asked for. */
export function requestedMove(dataDir: string): string | null {
  return readNote(moveRequestFile(dataDir), moveRequests)?.to ?? null;
}

/** Gives a move up, with the reason for the user. */
export function abandonMove(dataDir: string, reason: string): void {
  writeNote(failureFile(dataDir), { at: new Date().toISOString(), reason } satisfies FailedMove);
  clearMoveRequest(dataDir);
}

/** Says that nothing is to be moved any more. */
export function clearMoveRequest(dataDir: string): void {
  rmSync(moveRequestFile(dataDir), { force: true });
}
