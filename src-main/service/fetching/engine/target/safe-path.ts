import { createHash } from 'node:crypto';
import { foldedPath, isOrdinaryPath, isWindowsDevice, pathRefusal, windowsTrouble } from '../../../files/names.ts';
import { journalName } from '../journal-name.ts';
import { shownName } from '../../../files/inspect-findings.ts';

/** Suffix of incomplete files. */
const partialEnding = '.benchport-part';
// Maximum length of a name: 255 bytes on Linux, 255 UTF-16 units on Windows and macOS.
const maxNameLength = 255;
// macOS limits a whole path to 1024 bytes, and the cost of the checks here grows with the depth.
const maxPathLength = 1024;
const maxDepth = 64;

const printableAscii = /^[ -~]*$/;
// Format characters reverse text ("e\u202egpj.exe" reads as "eexe.jpg") or are invisible, and some
// file systems ignore them; line separators do not belong into names.
const deceptive = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces characters that make a name look like another one, as browsers do for downloads. */
export function plainPath(path: string): string {
  return printableAscii.test(path) ? path : path.replaceAll(deceptive, '_');
}

/** Why a path from a server can never be written below a folder; null if it can. */
export function unsafePath(path: string): string | null {
  // Fast path for most files: names of an ordinary path do not start with a dot, and each folder
  // takes at least two characters, so the depth is within the limit.
  if (path.length <= 2 * maxDepth && isOrdinaryPath(path) && !path.toLowerCase().includes(partialEnding)) return null;
  const refusal = pathRefusal(path);
  if (refusal !== null) return refusal;
  if (Buffer.byteLength(path) > maxPathLength) return `the path is longer than ${maxPathLength} bytes`;
  const names = path.split('/');
  if (names.length > maxDepth) return `the path is more than ${maxDepth} folders deep`;
  if (foldedPath(names[0] ?? '') === journalName.folder)
    return `${journalName.folder} is reserved for the download journal`;
  for (const name of names) {
    if (foldedPath(name).endsWith(partialEnding))
      return `names that end in ${partialEnding} are reserved for incomplete files`;
    if (process.platform === 'win32') {
      const trouble = windowsTrouble(name);
      if (trouble !== null) return trouble;
    } else if (isWindowsDevice(name)) return windowsTrouble(name);
    else if (Buffer.byteLength(name) > maxNameLength) return `a name is longer than ${maxNameLength} bytes`;
  }
  return null;
}

/**
 * The name of an incomplete file: the final name with a suffix, or a short hash if that would be
 * too long.
 */
export function partialName(name: string): string {
  const partial = `${name}${partialEnding}`;
  if (Buffer.byteLength(partial) <= maxNameLength) return partial;
  return `.${createHash('sha256').update(name).digest('hex').slice(0, 32)}${partialEnding}`;
}

/**
 * Compares the paths of a manifest with each other as they are added. Two files with one name (also
 * on a file system that ignores case or the Unicode form), or a file and a folder with one name,
 * cannot both be written: the first file wins, and a folder wins over a file.
 */
export class PathCheck {
  /** Why paths cannot be used, by their position in the order of `add`. */
  readonly refusals = new Map<number, string>();
  readonly #files = new Map<string, { readonly place: number; readonly path: string }>();
  readonly #folders = new Set<string>();
  #count = 0;

  add(path: string): void {
    const place = this.#count;
    this.#count += 1;
    const refusal = unsafePath(path) ?? this.#collision(path, place);
    if (refusal !== null) this.refusals.set(place, refusal);
  }

  #collision(path: string, place: number): string | null {
    const folded = foldedPath(path);
    const other = this.#files.get(folded);
    if (other !== undefined) {
      return other.path === path
        ? 'it is there twice'
        : `it differs from ${shownName(other.path)} only by case or Unicode form`;
    }
    if (this.#folders.has(folded)) return 'it is the name of a file and of a folder';
    this.#files.set(folded, { place, path });
    for (let slash = folded.lastIndexOf('/'); slash > 0; slash = folded.lastIndexOf('/', slash - 1)) {
      const folder = folded.slice(0, slash);
      // All ancestors of a known folder are known too.
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
      const file = this.#files.get(folder);
      if (file !== undefined) this.refusals.set(file.place, 'it is the name of a file and of a folder');
    }
    return null;
  }
}
