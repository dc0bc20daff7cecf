import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { canKeepDescriptors } from '../../files/target-folder-walk.ts';

/** Where an export is written before it gets its name. */
export interface ExportPlace {
  readonly path: string;
  close(): Promise<void>;
}

const heldFolder = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Makes a new folder that only this user can enter. On Linux it is held open and its path leads through the descriptor: who may write to the folder around
 * it can give its name to a link or a folder of theirs, and what is written and removed stays where it was.
 *
 * @throws the error of the system call; EPERM when somebody has put another in its place.
 */
export async function makePlace(folder: string): Promise<ExportPlace> {
  await mkdir(folder, { mode: 0o700 });
  const place = await openPlace(folder);
  if (place) return place;
  throw Object.assign(new Error(`${folder} was replaced by somebody else`), { code: 'EPERM' });
}

/** Removes it with all that is in it. What is not ours stays. */
export async function removePlace(folder: string): Promise<void> {
  const place = await openPlace(folder);
  if (!place) return;
  try {
    for (const name of await readdir(place.path))
      await rm(path.join(place.path, name), { recursive: true, force: true });
  } finally {
    await place.close();
  }
  await rmdir(folder).catch(() => {});
}

async function openPlace(folder: string): Promise<ExportPlace | null> {
  if (!canKeepDescriptors) return (await isThere(folder)) ? { path: folder, close: async () => {} } : null;
  try {
    const handle = await open(folder, heldFolder);
    const place = { path: `/proc/self/fd/${handle.fd}`, close: async () => handle.close() };
    if (await isOwn(place.path, (await handle.stat()).uid)) return place;
    await place.close();
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errorCode(error))) throw error;
  }
  return null;
}

/** By what this user makes in it: disks of another system may say that everything belongs to somebody else. */
async function isOwn(folder: string, owner: number): Promise<boolean> {
  const probe = path.join(folder, randomBytes(8).toString('hex'));
  await mkdir(probe);
  try {
    return (await stat(probe)).uid === owner;
  } finally {
    await rmdir(probe);
  }
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
