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
/** Stored in moved data: the place they were moved from. */
export type MovedNote = Static<typeof MovedNote>;
const MoveRequest = Type.Object({ to: Type.String() });
const FailedMove = Type.Object({ at: Type.String(), reason: Type.String() });
/** A requested move that failed. */
export type FailedMove = Static<typeof FailedMove>;

const pointers = Compile(Pointer);
const notes = Compile(MovedNote);
const moveRequests = Compile(MoveRequest);
const failures = Compile(FailedMove);

/**
 * The pointer lies beside the directory, so that it survives when the user deletes the old data.
 */
const pointerFile = (dataDir: string): string => `${dataDir}.moved.json`;
const noteFile = (dataDir: string): string => path.join(dataDir, 'moved.json');
const moveRequestFile = (dataDir: string): string => path.join(dataDir, 'move-wanted.json');
const failureFile = (dataDir: string): string => path.join(dataDir, 'move-failed.json');

/** Temporary path of the copy while data are moved. */
export function temporaryCopyPath(to: string): string {
  return `${to}.moving`;
}

/**
 * The actual location of a data directory after any moves. Completes a move that was interrupted
 * after its copy was complete.
 *
 * @throws StartError when the data were moved to a place that does not exist now, such as a
 * disconnected disk, or when a file of another user claims that they were moved.
 */
export function locateData(dataDir: string): string {
  let [here, since] = [dataDir, 0];
  for (;;) {
    refuseForeign(pointerFile(here), here);
    const pointer = readNote(pointerFile(here), pointers);
    // An older pointer is left over from an earlier move away from a place to which the data
    // returned.
    if (!pointer || pointer.at <= since) return here;
    const { to, at } = pointer;
    refuseForeign(temporaryCopyPath(to), here);
    if (existsSync(temporaryCopyPath(to)) && !existsSync(to)) finishMove(to);
    if (!existsSync(to) && !existsSync(pointerFile(to))) {
      throw new StartError(
        'data-unusable',
        `The data of ${dataDir} was moved to ${to}, which does not exist. Connect its disk. To use the old data instead, remove ${pointerFile(here)}.`,
      );
    }
    [here, since] = [to, at];
  }
}

/**
 * Commits a move: the data in `to` become the valid ones. The copy must be complete and on disk at
 * `temporaryCopyPath(to)`.
 */
export function commitMove(from: string, to: string): void {
  const now = Date.now();
  const note: MovedNote = { from, moved_at: new Date(now).toISOString() };
  writeNote(noteFile(temporaryCopyPath(to)), note);
  const pointer = pointerFile(from);
  writeNote(`${pointer}.partial`, { to, at: now } satisfies Static<typeof Pointer>);
  renameSync(`${pointer}.partial`, pointer);
  syncFolder(path.dirname(pointer));
  finishMove(to);
}

function finishMove(to: string): void {
  renameSync(temporaryCopyPath(to), to);
  syncFolder(path.dirname(to));
}

/** The place the data were moved from; null when they never were. */
export const readMovedNote = (dataDir: string): MovedNote | null => readNote(noteFile(dataDir), notes);
/** The reason why the last move failed; null after a new request. */
export const readFailedMove = (dataDir: string): FailedMove | null => readNote(failureFile(dataDir), failures);

/** Requests a move at the next start of the service. */
export function requestMove(dataDir: string, to: string): void {
  rmSync(failureFile(dataDir), { force: true });
  writeNote(moveRequestFile(dataDir), { to });
}

/** The target of a requested move; null without a request. */
export function requestedMove(dataDir: string): string | null {
  return readNote(moveRequestFile(dataDir), moveRequests)?.to ?? null;
}

/** Cancels a requested move and records the reason for the user. */
export function abandonMove(dataDir: string, reason: string): void {
  writeNote(failureFile(dataDir), { at: new Date().toISOString(), reason } satisfies FailedMove);
  clearMoveRequest(dataDir);
}

/** Removes a request to move. */
export function clearMoveRequest(dataDir: string): void {
  rmSync(moveRequestFile(dataDir), { force: true });
}
