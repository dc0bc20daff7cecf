import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DataPaths } from '../../../common/data-paths.ts';
import type { ObjectStorage } from '../../../object-storage/object-storage.ts';
import { manifestName } from '../members/expected-file.ts';
import { LostUpload } from '../members/upload-failures.ts';
import { localFolderOf, manifestKeyOf } from './upload-objects.ts';

const sliceBytes = 1024 * 1024;

/** Puts the manifest of an upload into the object storage, unless it is there. @throws ObjectStorageError */
export async function putManifest(
  storage: ObjectStorage,
  id: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const key = manifestKeyOf(id);
  const handle = await open(path.join(folder, manifestName));
  try {
    const { size } = await handle.stat();
    if ((await storage.lengthOf(key, signal)) === size) return;
    const fill = async (part: Buffer, position: number) => void (await handle.read(part, 0, part.length, position));
    await storage.put(key, size, fill, signal);
  } finally {
    await handle.close();
  }
}

/**
 * Has the manifest of an upload in the folder of this machine.
 *
 * @returns the folder.
 * @throws LostUpload when the object storage has none, ObjectStorageError, or the signal's reason.
 */
export async function fetchManifest(
  deps: { readonly paths: DataPaths },
  storage: ObjectStorage,
  id: string,
  signal: AbortSignal,
): Promise<string> {
  const folder = localFolderOf(deps, id);
  const file = path.join(folder, manifestName);
  if (existsSync(file)) return folder;
  const length = await storage.lengthOf(manifestKeyOf(id), signal);
  if (length === null) throw new LostUpload('Its manifest is gone from the object storage.');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}-${randomUUID()}`;
  try {
    await copyManifest(storage, id, length, unfinished, signal);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  return folder;
}

async function copyManifest(
  storage: ObjectStorage,
  id: string,
  length: number,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(target, 'wx', 0o600);
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(sliceBytes, length));
    for (let at = 0; at < length; at += sliceBytes) {
      const slice = buffer.subarray(0, Math.min(sliceBytes, length - at));
      await storage.read(manifestKeyOf(id), at, slice, signal);
      await handle.writeFile(slice);
    }
  } finally {
    await handle.close();
  }
}
