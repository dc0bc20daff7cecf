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

/** A folder in which files are made and renamed. */
export interface Folder {
  /** Names are put behind it, with a slash between. */
  readonly base: string;
  /** Its path without links. */
  readonly path: string;
  readonly fd: number | null;
  /** Folded names of what was in it when it was first looked into, and of what was made since; null: too many to know. Undefined before that. */
  names?: Set<string> | null;
}

const maxHeldFolders = 64;
const maxCachedNames = 1000;
const openFolder = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const syncDescriptor = promisify(fsync);

/** Whether folders can be held by descriptors that stand in a path: then no link that is put in their way leads anywhere. */
export const canKeepDescriptors = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * Goes down from a folder without ever following a link. Where the system allows, each folder is held open and the next is opened within it, so that
 * exchanging one for a link changes nothing. Elsewhere it is looked at what the path really leads to, before and (`confirm`) after a file is opened: a
 * link that lies there is never followed, a program on the same machine that exchanges folders at exactly the right two moments could win.
 */
export class FolderWalk {
  readonly #root: Folder;
  readonly #holding: boolean;
  readonly #known = new Map<string, Folder>();
  readonly #changed = new Set<string>();
  /** Held folders that were looked for in this turn of the event loop. */
  readonly #seen = new Set<Folder>();
  /** Numbers of the disks on which held folders lie. */
  readonly #disks = new Set<number>();

  /** @param root the real path of a folder that is there. */
  constructor(root: string, holding: boolean) {
    this.#holding = holding;
    this.#root = this.#open(root, root);
  }

  /**
   * The folder of a relative path (empty for the root).
   *
   * @returns null when it is not there and is not to be made.
   * @throws TargetError when something that is no folder has its name, or the root has gone.
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

  /** The root, when it is held, and all folders that were opened lie on its disk. */
  get oneDisk(): Folder | null {
    return this.#disks.size === 1 ? this.#root : null;
  }

  /** After a file has been opened without descriptors: whether it lies in the folder that was meant. */
  confirm(folder: Folder): boolean {
    return this.#holding || isStillThere(folder);
  }

  /**
   * Whether nothing of this name was in a folder when it was first looked into, however a disk may write it. One look for a whole folder costs less than
   * one for each file; what comes into it later is found where a file gets its name.
   */
  isFree(folder: Folder, name: string): boolean {
    if (folder.names === undefined) folder.names = namesIn(folder);
    return folder.names?.has(foldedPath(name)) === false;
  }

  /** A file of this name is in a folder now. */
  made(folder: Folder, name: string): void {
    folder.names?.add(foldedPath(name));
  }

  changed(relative: string): void {
    this.#changed.add(relative);
  }

  /** Puts the names that were made since on disk. */
  async sync(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    // Windows has no such thing; NTFS keeps a journal of names.
    if (process.platform === 'win32') return;
    await Promise.all(
      changed.map(async (relative) => {
        const folder = this.at(relative, false);
        if (!folder) throw targetMissing();
        // A descriptor of its own, because the held one may be closed while this waits.
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

  /** Where folders are held, nothing can lead elsewhere: that one has gone is only told, for which once a turn is enough. */
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

/** Whether the path still leads to the folder, and nowhere else. Compared folded, because the disk may write a name in another case. */
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
