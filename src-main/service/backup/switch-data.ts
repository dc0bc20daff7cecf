import { existsSync, renameSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import path from 'node:path';
import { lockDataDirectory } from '../database/lock.ts';
import { explainStartFailure } from '../database/explain-start-failure.ts';
import { syncFolder } from '../database/sync-folder.ts';
import { readNote, writeNote } from './note-file.ts';
import { refuseForeign } from './refuse-foreign.ts';

const RestoredNote = Type.Object({
  restored_at: Type.String(),
  as_of: Type.String(),
  from: Type.String(),
  before: Type.String(),
});
/** Stored in restored data. `before` is the path of the replaced data. */
export type RestoredNote = Static<typeof RestoredNote>;

const noteFile = 'restored.json';
const validator = Compile(RestoredNote);

/**
 * Paths beside the data directory, on its disk: `unpacking` is for work in progress, `ready` is a
 * verified restore that waits for the next start.
 */
export function restorePaths(dataDir: string): { readonly unpacking: string; readonly ready: string } {
  return { unpacking: `${dataDir}.restoring`, ready: `${dataDir}.restored` };
}

/**
 * Schedules the switch to the unpacked data for the next start of the service; from here on it
 * survives a crash.
 */
export function scheduleSwitch(dataDir: string, note: Omit<RestoredNote, 'before'>): RestoredNote {
  const { unpacking, ready } = restorePaths(dataDir);
  const whole = {
    ...note,
    before: freeName(`${dataDir}-before-${note.restored_at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`),
  };
  writeNote(path.join(unpacking, noteFile), whole);
  renameSync(unpacking, ready);
  syncFolder(path.dirname(dataDir));
  return whole;
}

/**
 * Replaces the data directory with a waiting restore and keeps the old data under another name.
 * These are two renames; after a crash between them the next start completes the switch, because
 * `ready` still exists.
 *
 * @returns the note of the restored data; null when no restore was waiting.
 * @throws StartError when a service uses the data directory, a rename fails, or the waiting data
 * belong to another user.
 */
export function finishSwitch(dataDir: string): RestoredNote | null {
  const { ready } = restorePaths(dataDir);
  refuseForeign(ready, dataDir);
  const note = readRestoredNote(ready);
  if (!note) return null;
  try {
    if (existsSync(dataDir)) {
      // Released at once, because some systems cannot rename a folder with open files.
      lockDataDirectory(dataDir)();
      renameSync(dataDir, existsSync(note.before) ? freeName(note.before) : note.before);
    }
    renameSync(ready, dataDir);
    syncFolder(path.dirname(dataDir));
    return note;
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}

/** The restore that the data in a folder are from; null when they were never restored. */
export function readRestoredNote(folder: string): RestoredNote | null {
  return readNote(path.join(folder, noteFile), validator);
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(name)) return name;
  }
}
