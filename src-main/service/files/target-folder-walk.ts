import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../common/error-code.ts';
import { foldedPath } from './names.ts';
import { inTheWay, targetMissing } from './target-folder-error.ts';

/** A folder in which files are created and renamed. */
export interface Folder {
  /** Prefix for names in the folder, without the slash. */
  readonly base: string;
  /** The path without symbolic links. */
  readonly path: string;
  readonly fd: number | null;
  /**
   * Folded names that existed when the folder was first read, and of files created since; null when
   * there are too many. Undefined before the folder was read.
   */
  names?: Set<string> | null;
}

const maxHeldFolders = 64;
const maxCachedNames = 1000;
const openFolder = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const syncDescriptor = promisify(fsync);

/**
 * Whether folders can be addressed through open descriptors, so that a symbolic link put in their
 * path has no effect.
 */
export const canKeepDescriptors = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * Opens nested folders without ever following a symbolic link. Where descriptors can be kept, each
 * folder stays open and the next is opened relative to it, so that replacing one by a link has no
 * effect. Elsewhere the real path is checked before and (`confirm`) after a file is opened: an
 * existing link is never followed, but a program on this machine that swaps folders at exactly the
 * right two moments could succeed.
 */
export class FolderWalk {
  readonly #root: Folder;
  readonly #holding: boolean;
  readonly #known = new Map<string, Folder>();
  readonly #changed = new Set<string>();
  /** Folders with open descriptors that were checked in this turn of the event loop. */
  readonly #seen = new Set<Folder>();
  /** Device numbers of the opened folders. */
  readonly #disks = new Set<number>();

  /** @param root Real path of an existing folder. */
  constructor(root: string, holding: boolean) {
    this.#holding = holding;
    this.#root = this.#open(root, root);
  }

  /**
   * Returns the folder of a relative path (empty for the root).
   *
   * @returns null when it does not exist and `make` is false.
   * @throws TargetError when its name is taken by something else, or the root is missing.
   */
  at(relative: string, make: boolean): Folder | null {
    if (!this.#isStillThere(this.#root)) throw targetMissing();
    if (relative === '') return this.#root;
    const known = this.#known.get(relative);
    if (known && this.#isStillThere(known)) return known;
    if (known) this.#forget(relative, known);
    const slash = relative.lastIndexOf('/');
    const above = slash < 0 ? '' : relative.slice(0, slash);
    const parent = this.at(above, make);
    if (!parent) return null;
    const name = relative.slice(slash + 1);
    const folder =
      this.#openWithin(parent, name, relative) ?? (make ? this.#make(parent, name, relative, above) : null);
    if (folder) this.#remember(relative, folder);
    return folder;
  }

  /** The root, when descriptors are kept and all opened folders are on one disk; otherwise null. */
  get oneDisk(): Folder | null {
    return this.#disks.size === 1 ? this.#root : null;
  }

  /** After a file was opened without descriptors: whether it is in the intended folder. */
  confirm(folder: Folder): boolean {
    return this.#holding || isStillThere(folder);
  }

  /**
   * Whether no entry with this name, ignoring case and Unicode form, existed in a folder when it
   * was first read. One read of the folder costs less than a check per file; entries created later
   * are detected when a file is renamed.
   */
  isFree(folder: Folder, name: string): boolean {
    if (folder.names === undefined) folder.names = namesIn(folder);
    return folder.names?.has(foldedPath(name)) === false;
  }

  /** Records that a file with this name was created in a folder. */
  made(folder: Folder, name: string): void {
    folder.names?.add(foldedPath(name));
  }

  changed(relative: string): void {
    this.#changed.add(relative);
  }

  /** Syncs the folders whose entries have changed. */
  async sync(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    // Windows cannot sync folders; NTFS journals names.
    if (process.platform === 'win32') return;
    await Promise.all(
      changed.map(async (relative) => {
        const folder = this.at(relative, false);
        if (!folder) throw targetMissing();
        // A separate descriptor, because the kept one may be closed during the sync.
        const fd = openSync(folder.base, constants.O_RDONLY);
        try {
          await syncDescriptor(fd);
        } finally {
          closeSync(fd);
        }
      }),
    );
  }

  close(): void {
    for (const [relative, folder] of this.#known) this.#forget(relative, folder);
    if (this.#root.fd !== null) closeSync(this.#root.fd);
  }

  /**
   * With descriptors, no path can be redirected, and the check only reports a folder that was
   * removed: once per turn is enough.
   */
  #isStillThere(folder: Folder): boolean {
    if (this.#seen.has(folder)) return true;
    if (!isStillThere(folder)) return false;
    if (!this.#holding) return true;
    if (this.#seen.size === 0) setImmediate(() => this.#seen.clear());
    this.#seen.add(folder);
    return true;
  }

  #make(parent: Folder, name: string, relative: string, above: string): Folder | null {
    try {
      mkdirSync(`${parent.base}/${name}`);
      this.changed(above);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    return this.#openWithin(parent, name, relative);
  }

  #openWithin(parent: Folder, name: string, relative: string): Folder | null {
    try {
      return this.#open(`${parent.base}/${name}`, `${parent.path}/${name}`, relative);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return null;
      if (code === 'ELOOP' || code === 'ENOTDIR')
        throw inTheWay(relative, 'a link or a file has the name of this folder');
      throw error;
    }
  }

  #open(where: string, path: string, relative = ''): Folder {
    if (this.#holding) {
      const fd = openSync(where, openFolder);
      this.#disks.add(fstatSync(fd).dev);
      return { base: `/proc/self/fd/${fd}`, path, fd };
    }
    if (!lstatSync(where).isDirectory()) throw inTheWay(relative, 'a link or a file has the name of this folder');
    return { base: where, path, fd: null };
  }

  #remember(relative: string, folder: Folder): void {
    this.#known.set(relative, folder);
    for (const [oldest, held] of this.#known) {
      if (this.#known.size <= maxHeldFolders) return;
      this.#forget(oldest, held);
    }
  }

  #forget(relative: string, folder: Folder): void {
    this.#known.delete(relative);
    if (folder.fd !== null) closeSync(folder.fd);
  }
}

/**
 * Whether the path still resolves to the folder. Compared folded, because the disk may store a name
 * in another case.
 */
function isStillThere(folder: Folder): boolean {
  try {
    const real =
      folder.fd === null ? realpathSync.native(folder.path).replaceAll('\\', '/') : readlinkSync(folder.base);
    return real === folder.path || foldedPath(real) === foldedPath(folder.path);
  } catch {
    return false;
  }
}

function namesIn(folder: Folder): Set<string> | null {
  const names = new Set<string>();
  const entries = opendirSync(folder.base);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (names.size === maxCachedNames) return null;
      names.add(foldedPath(entry.name));
    }
    return names;
  } finally {
    entries.closeSync();
  }
}
