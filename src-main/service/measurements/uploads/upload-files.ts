import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { UploadRow } from '../store/uploads-store.ts';

type Paths = { readonly paths: DataPaths };

/** The folder in the library with a folder for each upload: all replicas see it. */
export function uploadsFolder({ paths }: Paths): string {
  return path.join(paths.library, 'uploads');
}

/** An id of a new upload: 128 random bits. */
export function newUploadId(): string {
  return randomBytes(16).toString('hex');
}

/** The folder of an upload. */
export function folderOf(deps: Paths, id: string): string {
  return path.join(uploadsFolder(deps), id);
}

/** The file with the bytes that have come. */
export function fileOf(deps: Paths, { id, file_name: name }: Pick<UploadRow, 'id' | 'file_name'>): string {
  return path.join(folderOf(deps, id), name);
}

async function makeFolder(deps: Paths, id: string): Promise<void> {
  await mkdir(folderOf(deps, id), { recursive: true, mode: 0o700 });
}

/** Creates the empty file, unless it is there. */
export async function makePlace(deps: Paths, upload: Pick<UploadRow, 'id' | 'file_name'>): Promise<void> {
  await makeFolder(deps, upload.id);
  const handle = await open(fileOf(deps, upload), 'a', 0o600);
  await handle.close();
}

/** The length of the file; 0 when it is gone. */
export async function fileLength(deps: Paths, upload: Pick<UploadRow, 'id' | 'file_name'>): Promise<number> {
  try {
    return (await stat(fileOf(deps, upload))).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

export async function removeFiles(deps: Paths, id: string): Promise<void> {
  await rm(folderOf(deps, id), { recursive: true, force: true });
}
