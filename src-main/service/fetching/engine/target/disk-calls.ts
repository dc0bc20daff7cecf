import { readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import { getSystemErrorName } from 'node:util';
import { loadCLibrary } from '../../../common/c-library.ts';

/** System calls for many small files that Node does not offer. */
export interface DiskCalls {
  /**
   * Syncs the whole file system of a descriptor. @returns false if that is unavailable or may take
   * long: sync each file instead
   */
  syncDisk(descriptor: number): Promise<boolean>;
  /**
   * Gives an open unnamed file a name in a folder, without replacing anything. @throws with the
   * system's `code`
   */
  nameFile(file: number, folder: number, name: string): void;
}

// From the Linux headers; equal on all architectures.
const currentFolder = -100;
const followLink = 0x400;
// On ext2 to ext4, XFS, Btrfs and tmpfs syncfs is known to flush files, and open accepts O_TMPFILE.
const knownFileSystems = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
const maxForeignDirtyBytes = 64 * 1024 * 1024;

let loaded: DiskCalls | null | undefined;

/**
 * The calls for files on the disk of a folder.
 *
 * @returns null if the system, the file system or koffi lacks them
 */
export function diskCalls(folder: string): DiskCalls | null {
  if (loaded === undefined) loaded = load();
  try {
    return loaded !== null && knownFileSystems.has(statfsSync(folder).type) ? loaded : null;
  } catch {
    // Creating a file in the folder reports what is wrong with it.
    return null;
  }
}

function load(): DiskCalls | null {
  // Before Linux 5.8 syncfs did not report write errors (syncfs(2), "Errors").
  if (process.platform !== 'linux' || !isAtLeast(os.release(), 5, 8)) return null;
  try {
    const { func, errno } = loadCLibrary();
    const syncfs = func('int syncfs(int descriptor)');
    const linkat = func('int linkat(int from, const char *file, int folder, const char *name, int flags)') as (
      ...args: readonly unknown[]
    ) => number;
    return {
      syncDisk: (descriptor) =>
        // syncfs also waits for what other processes have written.
        mayTakeLong()
          ? Promise.resolve(false)
          : new Promise(
              (resolve) =>
                void syncfs.async(descriptor, (error: unknown, result: number) =>
                  resolve(error === null && result === 0),
                ),
            ),
      nameFile: (file, folder, name) => {
        if (linkat(currentFolder, `/proc/self/fd/${file}`, folder, name, followLink) === 0) return;
        const number = errno();
        const code = number > 0 ? getSystemErrorName(-number) : 'EIO';
        throw Object.assign(new Error(`${code}: linkat '${name}'`), { code });
      },
    };
  } catch {
    return null;
  }
}

function isAtLeast(release: string, major: number, minor: number): boolean {
  const [ours = 0, least = 0] = release.split('.').map(Number);
  return ours > major || (ours === major && least >= minor);
}

function mayTakeLong(): boolean {
  try {
    return isMuchToWrite(readFileSync('/proc/meminfo', 'latin1'));
  } catch {
    // Some containers hide /proc/meminfo.
    return true;
  }
}

/**
 * Whether the system has more unwritten data, over all disks, than is worth waiting for.
 *
 * @param memory content of /proc/meminfo (proc(5))
 */
export function isMuchToWrite(memory: string): boolean {
  const waiting = memory.matchAll(/^(?:Dirty|Writeback): +(\d+) kB$/gm);
  return (
    Array.from(waiting, ([, kibibytes]) => Number(kibibytes) * 1024).reduce((sum, bytes) => sum + bytes, 0) >
    maxForeignDirtyBytes
  );
}
