import { execFile, execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, ftruncateSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH (linux/fs/ext4/ext4.h): nothing more reaches
// the disk, not even the file system's own journal.
const powerOff = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;

/** A small disk with ext4 whose power can fail. */
export interface LoopDisk {
  /** Its mount point. */
  readonly folder: string;
  /** Loses writes that have not reached the disk; processes that use it get errors. */
  powerFails(): Promise<void>;
  /** Unmounts and mounts the disk; ext4 recovers as after a crash. No file on it may be open. */
  powerReturns(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Whether this user may mount an image through a loop device and shut it down: only root may, and
 * not in every container.
 */
export function mayLoopMount(): boolean {
  const disk = tryMount();
  if (!disk) return false;
  const stops = (() => {
    try {
      execFileSync('python3', ['-c', powerOff, disk.folder], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();
  execFileSync('umount', [disk.folder], { stdio: 'ignore' });
  rmSync(disk.dir, { recursive: true, force: true });
  return stops;
}

export function openLoopDisk(mebibytes: number): LoopDisk {
  const disk = tryMount(mebibytes);
  if (!disk) throw new Error('a loop device cannot be mounted here');
  const { dir, image, folder } = disk;
  return {
    folder,
    powerFails: async () => void (await run('python3', ['-c', powerOff, folder])),
    powerReturns: async () => {
      await run('umount', [folder]);
      await run('mount', ['-o', 'loop', image, folder]);
    },
    end: async () => {
      await run('umount', ['--lazy', folder]).catch(() => {});
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function tryMount(mebibytes = 16): { readonly dir: string; readonly image: string; readonly folder: string } | null {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'benchport-disk-'));
  const image = path.join(dir, 'image');
  const folder = path.join(dir, 'disk');
  try {
    mkdirSync(folder);
    const file = openSync(image, 'w');
    ftruncateSync(file, mebibytes * 2 ** 20);
    closeSync(file);
    execFileSync('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0', image], { stdio: 'ignore' });
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
    return { dir, image, folder };
  } catch {
    rmSync(dir, { recursive: true, force: true });
    return null;
  }
}
