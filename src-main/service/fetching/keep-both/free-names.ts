import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { foldedPath } from '../../files/names.ts';
import { unsafePath } from '../engine/target/safe-path.ts';
import { numberedName } from './numbered-name.ts';

// Each costs a look at the disk.
const maxTries = 1000;

/**
 * Finds names in a folder that neither the disk nor a fetch has. It remembers those it gave, so that
 * all files below a folder that cannot be used go to the same other one.
 */
export class FreeNames {
  readonly #folder: string;
  readonly #taken = new Set<string>();
  /** New folders by the old one, both below the folder. */
  readonly #moved = new Map<string, string>();

  /** @param paths of fetches into this folder; a name with a number is only ever one of these. */
  constructor(folder: string, paths: Iterable<string>) {
    this.#folder = folder;
    for (const one of paths) this.#take(one);
  }

  /**
   * A path for a file: its own where nothing is in the way.
   *
   * @returns null when there is none, for example because the path would be too long.
   */
  async pathFor(file: string): Promise<string | null> {
    const names = file.split('/');
    let at = '';
    for (const [depth, name] of names.entries()) {
      const isLast = depth === names.length - 1;
      const wanted = at === '' ? name : `${at}/${name}`;
      const moved = isLast ? undefined : this.#moved.get(wanted);
      const next = moved ?? (await this.#free(wanted, isLast ? 'file' : 'folder'));
      if (next === null) return null;
      if (!isLast) this.#moved.set(wanted, next);
      at = next;
    }
    if (unsafePath(at) !== null) return null;
    this.#take(at);
    return at;
  }

  async #free(wanted: string, kind: 'file' | 'folder'): Promise<string | null> {
    if (!(await isInTheWay(path.join(this.#folder, wanted), kind))) return wanted;
    const [parent, name] = [path.posix.dirname(wanted), path.posix.basename(wanted)];
    for (let step = 1; step <= maxTries; step += 1) {
      const other = numberedName(name, kind, step);
      const candidate = parent === '.' ? other : `${parent}/${other}`;
      if (unsafePath(candidate) !== null) return null;
      if (!this.#taken.has(foldedPath(candidate)) && !(await isThere(path.join(this.#folder, candidate))))
        return candidate;
    }
    return null;
  }

  #take(file: string): void {
    const folded = foldedPath(file);
    for (let end = folded.length; end > 0; end = folded.lastIndexOf('/', end - 1))
      this.#taken.add(folded.slice(0, end));
  }
}

/** A name for a folder beside it that neither the disk nor a fetch has; null when there is none. */
export async function freeFolder(
  folder: string,
  isUsed: (candidate: string) => Promise<boolean>,
): Promise<string | null> {
  for (let step = 1; step <= maxTries; step += 1) {
    const candidate = path.join(path.dirname(folder), numberedName(path.basename(folder), 'folder', step));
    if (!(await isThere(candidate)) && !(await isUsed(candidate))) return candidate;
  }
  return null;
}

/** Anything is in the way of a file; of a folder, all but a folder. A link to one is not followed. */
async function isInTheWay(file: string, kind: 'file' | 'folder'): Promise<boolean> {
  const stats = await statsOf(file);
  return stats !== null && (kind === 'file' || !stats.isDirectory());
}

async function isThere(file: string): Promise<boolean> {
  return (await statsOf(file)) !== null;
}

async function statsOf(file: string): Promise<Awaited<ReturnType<typeof lstat>> | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}
