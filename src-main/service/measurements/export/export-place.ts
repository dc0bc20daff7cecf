import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { canKeepDescriptors } from '../../files/target-folder-walk.ts';

/** Temporary folder in which an export is written before it is renamed. */
export interface ExportPlace {
  readonly path: string;
  close(): Promise<void>;
}

const heldFolder = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Creates a folder that only this user can enter. On Linux it is kept open and accessed through its
 * descriptor: a user with write access to the parent folder could replace its name by a link or
 * another folder, but cannot redirect what is written or removed.
 *
 * @throws the error of the system call; EPERM when the folder was replaced.
 */
export async function makePlace(folder: string): Promise<ExportPlace> {
  await mkdir(folder, { mode: 0o700 });
  const place = await openPlace(folder);
  if (place) return place;
  throw Object.assign(new Error(`${folder} was replaced by somebody else`), { code: 'EPERM' });
}

/** Removes the folder with its contents, unless it was replaced by a folder of another user. */
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

/**
 * Checks the owner by creating a folder inside: some mounted file systems report another owner for
 * everything.
 */
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
