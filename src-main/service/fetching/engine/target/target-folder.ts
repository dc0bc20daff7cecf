import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../../common/error-code.ts';
import { shownName } from '../../../files/inspect-findings.ts';
import { diskCalls, type DiskCalls } from './disk-calls.ts';
import { partialName, unsafePath } from './safe-path.ts';
import { syncFiles } from './sync-files.ts';
import { isSame, isThere, openIfThere, remove } from './target-names.ts';
import { inTheWay, TargetError, targetError, targetMissing } from '../../../files/target-folder-error.ts';
import { canKeepDescriptors, FolderWalk, type Folder } from '../../../files/target-folder-walk.ts';
import type { Target } from './target.ts';

// Non-blocking, so that a named pipe cannot block the thread.
const safeOpenFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const newFile = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | safeOpenFlags;
// O_TMPFILE (open(2)), which Node does not export; Linux has one value for it on x64 and arm64.
const unnamedFile = constants.O_RDWR | 0o20000000 | (constants.O_DIRECTORY ?? 0);
const noUnnamed = new Set(['EOPNOTSUPP', 'EISDIR']);
// For fewer files it is not worth loading koffi.
const minUnnamedFiles = 16;
// Each path is checked several times within a short time.
const maxSafePaths = 1000;
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/**
 * Opens the folder of a fetch, and creates it if it is missing; its parent must exist.
 *
 * @param folder absolute.
 * @param holding whether folders are held by descriptors; only tests set it.
 * @throws TargetError
 */
export async function openTarget(folder: string, holding = canKeepDescriptors): Promise<Target> {
  try {
    realpathSync.native(path.dirname(folder));
    try {
      mkdirSync(folder);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    // The folder itself may be a link: the user chose it, not the server.
    const real = realpathSync.native(folder);
    if (!statSync(real).isDirectory())
      throw inTheWay(path.basename(folder), 'there is a file with the name of the folder');
    return new OpenTarget(real, holding);
  } catch (error) {
    throw targetError(error, folder);
  }
}

class OpenTarget implements Target {
  readonly folder: string;
  readonly #walk: FolderWalk;
  /** Paths recently checked as safe. */
  readonly #safe = new Set<string>();
  #smallFiles = 0;
  /** Undefined until the first lookup. */
  #calls: DiskCalls | null | undefined;

  constructor(folder: string, holding: boolean) {
    this.folder = folder;
    this.#walk = new FolderWalk(path.sep === '/' ? folder : folder.replaceAll('\\', '/'), holding);
  }

  create(file: string): number {
    const fd = this.#named(file, true, ({ base }, name) => {
      const partial = `${base}/${partialName(name)}`;
      try {
        return openSync(partial, newFile, 0o666);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        remove(partial);
        return openSync(partial, newFile, 0o666);
      }
    });
    if (fd === null) throw targetMissing();
    return fd;
  }

  createUnnamed(file: string): number | null {
    this.#smallFiles += 1;
    if (this.#smallFiles <= minUnnamedFiles) return null;
    if (this.#calls === undefined) this.#calls = this.#walk.oneDisk && diskCalls(this.#walk.oneDisk.base);
    if (this.#calls === null) return null;
    return this.#named(file, true, (folder, name) => {
      const partial = partialName(name);
      if (!this.#walk.isFree(folder, partial)) remove(`${folder.base}/${partial}`);
      try {
        return openSync(folder.base, unnamedFile, 0o666);
      } catch (error) {
        if (noUnnamed.has(errorCode(error))) return null;
        throw error;
      }
    });
  }

  reopen(file: string): number | null {
    return this.#named(file, false, ({ base }, name) => {
      const [partial, final] = [`${base}/${partialName(name)}`, `${base}/${name}`];
      const fd = openIfThere(partial, constants.O_RDWR | safeOpenFlags, ['ENOENT', 'ELOOP', 'EISDIR', 'ENXIO']);
      if (fd === null) return null;
      // The process was killed during `finish`; the journal does not record the final name as
      // verified.
      if (fstatSync(fd).nlink === 2 && isThere(final) && isSame(partial, final)) unlinkSync(final);
      const stats = fstatSync(fd);
      // A file with a second link may also be reachable from elsewhere.
      if (stats.isFile() && stats.nlink === 1) return fd;
      closeSync(fd);
      return null;
    });
  }

  openFinished(file: string): number | null {
    return this.#named(file, false, (folder, name) => {
      if (this.#walk.isFree(folder, name)) return null;
      try {
        const fd = openIfThere(`${folder.base}/${name}`, constants.O_RDONLY | safeOpenFlags, ['ENOENT']);
        if (fd === null || fstatSync(fd).isFile()) return fd;
        closeSync(fd);
      } catch (error) {
        if (errorCode(error) !== 'ELOOP' && errorCode(error) !== 'EISDIR' && errorCode(error) !== 'ENXIO') throw error;
      }
      throw inTheWay(file, 'something other than a regular file already has this name');
    });
  }

  finish(file: string): void {
    const done = this.#named(file, false, (folder, name) => {
      const { base } = folder;
      const [partial, final] = [`${base}/${partialName(name)}`, `${base}/${name}`];
      try {
        // Unlike rename, link never replaces an existing file.
        linkSync(partial, final);
      } catch (error) {
        if (errorCode(error) === 'EEXIST') {
          if (!isSame(partial, final)) throw inTheWay(file, 'another file already has this name');
        } else if (cannotLink.has(errorCode(error))) {
          if (isThere(final)) throw inTheWay(file, 'another file already has this name');
          renameSync(partial, final);
        } else if (errorCode(error) === 'ENOENT') {
          throw new TargetError(
            'target-unwritable',
            `${shownName(file)}: another program has removed its unfinished file. Fetch it again.`,
            true,
          );
        } else throw error;
      }
      remove(partial);
      this.#madeFile(file, folder, name);
      return true;
    });
    if (done === null) throw targetMissing();
  }

  nameUnnamed(file: string, fd: number): void {
    const done = this.#named(file, false, (folder, name) => {
      if (!this.#calls || folder.fd === null) throw targetMissing();
      try {
        this.#calls.nameFile(fd, folder.fd, name);
      } catch (error) {
        throw isThere(`${folder.base}/${name}`) ? inTheWay(file, 'another file already has this name') : error;
      }
      this.#madeFile(file, folder, name);
      return true;
    });
    if (done === null) throw targetMissing();
  }

  discard(file: string): void {
    this.#named(file, false, ({ base }, name) => remove(`${base}/${partialName(name)}`));
  }

  syncFiles(fds: readonly number[], what: 'bytes' | 'all'): Promise<readonly (Error | null)[]> {
    const [calls, disk] = [this.#calls, this.#walk.oneDisk?.fd ?? null];
    return syncFiles(fds, what, calls && disk !== null ? () => calls.syncDisk(disk) : null);
  }

  async sync(): Promise<void> {
    try {
      await this.#walk.sync();
    } catch (error) {
      throw targetError(error, this.folder);
    }
  }

  close(): void {
    this.#walk.close();
  }

  #madeFile(file: string, folder: Folder, name: string): void {
    this.#walk.made(folder, name);
    this.#walk.changed(folderOf(file));
  }

  #named<Result>(file: string, make: boolean, act: (folder: Folder, name: string) => Result): Result | null {
    this.#mustBeSafe(file);
    try {
      const folder = this.#walk.at(folderOf(file), make);
      if (!folder) return null;
      const result = act(folder, path.posix.basename(file));
      if (this.#walk.confirm(folder)) return result;
      if (typeof result === 'number') closeSync(result);
      throw targetMissing();
    } catch (error) {
      throw targetError(error, file);
    }
  }

  #mustBeSafe(file: string): void {
    if (this.#safe.has(file)) return;
    const refusal = unsafePath(file);
    if (refusal !== null) throw new TargetError('bad-path', `${shownName(file)}: ${refusal}`, true);
    if (this.#safe.size >= maxSafePaths) this.#safe.clear();
    this.#safe.add(file);
  }
}

function folderOf(file: string): string {
  const slash = file.lastIndexOf('/');
  return slash < 0 ? '' : file.slice(0, slash);
}
