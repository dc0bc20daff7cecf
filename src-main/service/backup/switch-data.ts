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
/** What restored data say of themselves. `before`: where the data from before lie. */
export type RestoredNote = Static<typeof RestoredNote>;

const noteFile = 'restored.json';
const validator = Compile(RestoredNote);

/** Where a backup is unpacked, and where it waits, whole and checked, for the next start. Both lie beside the data directory, on its disk. */
export function restorePlaces(dataDir: string): { readonly unpacking: string; readonly ready: string } {
  return { unpacking: `${dataDir}.restoring`, ready: `${dataDir}.restored` };
}

/** Says that unpacked data are to take the place of those in `dataDir` at the next start of the service; from here on that happens whatever is killed. */
export function readyToSwitch(dataDir: string, note: Omit<RestoredNote, 'before'>): RestoredNote {
  const { unpacking, ready } = restorePlaces(dataDir);
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
 * Puts restored data that wait in their place and keeps those from before under another name. Two renames, found again after a kill between them: while
 * there are data that wait, the switch is not done.
 *
 * @returns what was restored; null when nothing waited.
 * @throws StartError when a service runs on the data directory, the names cannot be changed, or the data that wait are another user's.
 */
export function finishSwitch(dataDir: string): RestoredNote | null {
  const { ready } = restorePlaces(dataDir);
  refuseForeign(ready, dataDir);
  const note = readRestoredNote(ready);
  if (!note) return null;
  try {
    if (existsSync(dataDir)) {
      // Released at once: not every system can rename a folder with open files.
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

/** What the data in this directory say of a restoration; null when they never were restored. */
export function readRestoredNote(folder: string): RestoredNote | null {
  return readNote(path.join(folder, noteFile), validator);
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(name)) return name;
  }
}
