import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Objects of the library and keys, without the database and the files of a run. */
function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => /objects|secret/.test(file));
}

/** Modes and digests of these files. */
export function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    filesIn(folder).map((file) => [
      path.relative(folder, file),
      `${statSync(file).mode.toString(8)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`,
    ]),
  );
}

/** Bytes copied so far; -1 before there are any, and when a file disappears while it is read. */
export function copied(folder: string): number {
  try {
    return filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    return -1;
  }
}
