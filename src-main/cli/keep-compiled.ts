import { mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';

/**
 * Lets Node keep compiled code between runs, which spares a short command up to a quarter of its work. Where that cannot be, everything goes on without. Node of Electron
 * may be too old for it, and rights on Windows are not in the mode.
 */
export function keepCompiled(): void {
  const uid = process.getuid?.();
  if (uid === undefined || typeof nodeModule.enableCompileCache !== 'function') return;
  try {
    // Of the user's record: with `sudo`, `$HOME` may be another user's.
    const folder = compiledFolder(os.userInfo().homedir, uid);
    if (folder !== null) nodeModule.enableCompileCache(folder);
  } catch {
    // There is no home, or nothing can be written there.
  }
}

/**
 * The folder for compiled code, made when it is not there. What lies in it is run, so nobody else may be able to write to it or to a folder above.
 *
 * @returns null when somebody may.
 * @throws when it cannot be made
 */
export function compiledFolder(home: string, uid: number): string | null {
  let folder = home;
  for (const name of ['.cache', 'benchport']) {
    if (!isOwn(folder, uid)) return null;
    folder = path.join(folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  return isOwn(folder, uid) ? folder : null;
}

function isOwn(folder: string, uid: number): boolean {
  const { uid: owner, mode } = statSync(folder);
  return owner === uid && (mode & 0o022) === 0;
}
