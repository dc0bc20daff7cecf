import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The paths of the program's own files, and its version. */
export interface ProgramFiles {
  readonly rendererDir: string;
  readonly assetsDir: string;
  readonly version: string;
}

/**
 * Finds the files of the program from a folder inside of it, source or built: its root has the
 * package.json.
 */
export function programFiles(startDir: string): ProgramFiles {
  const root = rootAbove(startDir);
  return {
    rendererDir: path.join(root, 'out', 'renderer'),
    assetsDir: path.join(root, 'assets'),
    version: programVersion(startDir),
  };
}

/**
 * The version in the nearest package.json above a folder; in a packaged application that file is
 * inside the archive beside it.
 */
export function programVersion(startDir: string): string {
  const version =
    readVersion(rootAbove(startDir)) ??
    readVersion(rootAbove(startDir.replace(/app\.asar\.unpacked(?=[\\/])/, 'app.asar')));
  return version ?? 'unknown';
}

function rootAbove(startDir: string): string {
  for (let dir = startDir; ; dir = path.dirname(dir)) {
    if (readVersion(dir) !== null) return dir;
    if (path.dirname(dir) === dir) return startDir;
  }
}

function readVersion(dir: string): string | null {
  try {
    const content = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')) as {
      readonly name?: unknown;
      readonly version?: unknown;
    };
    return content.name === 'benchport' && typeof content.version === 'string' ? content.version : null;
  } catch {
    return null;
  }
}
