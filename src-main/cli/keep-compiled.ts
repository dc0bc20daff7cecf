import { mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';

/**
 * Enables Node's compile cache, which saves a short command up to a quarter of its time. It is
 * optional: Electron's Node may be too old for it, and file modes do not express permissions on
 * Windows.
 */
export function keepCompiled(): void {
  const uid = process.getuid?.();
  if (uid === undefined || typeof nodeModule.enableCompileCache !== 'function') return;
  try {
    // From the user database: with `sudo`, `$HOME` may be another user's.
    const folder = compiledFolder(os.userInfo().homedir, uid);
    if (folder !== null) nodeModule.enableCompileCache(folder);
  } catch {
    // There is no home directory, or it cannot be written.
  }
}

/**
 * The folder for compiled code, created if missing. Its content is executed, so no other user may
 * be able to write to it or its parents.
 * @returns null if another user may.
 * @throws if it cannot be created
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
