import { createHash } from 'node:crypto';
import { foldedPath, isOrdinaryPath, isWindowsDevice, pathRefusal, windowsTrouble } from '../../../files/names.ts';
import { journalName } from '../journal-name.ts';
import { shownName } from '../../../files/inspect-findings.ts';

/** Ending of a file that is not yet whole. */
const partialEnding = '.benchport-part';
// Linux holds 255 bytes in a name, Windows and macOS 255 units.
const maxNameLength = 255;
// macOS ends at 1024 bytes for a whole path, and what looks at paths here takes time that grows with their depth.
const maxPathLength = 1024;
const maxDepth = 64;

const printableAscii = /^[ -~]*$/;
// Format characters turn text around ("e\u202egpj.exe" reads as "eexe.jpg") or show nothing, and some disks ignore them; a separator of lines is none in a name.
const deceptive = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A path under which a file may lie here: characters that make a name look like another one are replaced, as browsers do with what they download. */
export function plainPath(path: string): string {
  return printableAscii.test(path) ? path : path.replaceAll(deceptive, '_');
}

/** Why a path that a server names can never be written below a folder, whatever else is there; null when it can. */
export function unsafePath(path: string): string | null {
  // Most of them; names of an ordinary path do not begin with a dot, and two of its characters are a folder at least.
  if (path.length <= 2 * maxDepth && isOrdinaryPath(path) && !path.toLowerCase().includes(partialEnding)) return null;
  const refusal = pathRefusal(path);
  if (refusal !== null) return refusal;
  if (Buffer.byteLength(path) > maxPathLength) return `the path is longer than ${maxPathLength} bytes`;
  const names = path.split('/');
  if (names.length > maxDepth) return `the path is more than ${maxDepth} folders deep`;
  if (foldedPath(names[0] ?? '') === journalName.folder)
    return `${journalName.folder} is used for the journal of what is fetched`;
  for (const name of names) {
    if (foldedPath(name).endsWith(partialEnding))
      return `names that end in ${partialEnding} are used for files that are not yet whole`;
    if (process.platform === 'win32') {
      const trouble = windowsTrouble(name);
      if (trouble !== null) return trouble;
    } else if (isWindowsDevice(name)) return windowsTrouble(name);
    else if (Buffer.byteLength(name) > maxNameLength) return `a name is longer than ${maxNameLength} bytes`;
  }
  return null;
}

/** The name of a file while it is not yet whole: beside its final name, and a short one where the file system could not hold both. */
export function partialName(name: string): string {
  const partial = `${name}${partialEnding}`;
  if (Buffer.byteLength(partial) <= maxNameLength) return partial;
  return `.${createHash('sha256').update(name).digest('hex').slice(0, 32)}${partialEnding}`;
}

/**
 * Compares the paths of a manifest with each other, as they come. Two files with one name, also on a disk that ignores case or the Unicode form, and a
 * file with the name of a folder cannot both be written: the first file stays, and of a file and a folder the folder.
 */
export class PathCheck {
  /** Why paths cannot be used, by their place in the order of `add`. */
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
      // Every folder above a known one is known too.
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
      const file = this.#files.get(folder);
      if (file !== undefined) this.refusals.set(file.place, 'it is the name of a file and of a folder');
    }
    return null;
  }
}
