import path from 'node:path';
import type { DataPaths } from '../../../common/data-paths.ts';
import type { ObjectStorage } from '../../../object-storage/object-storage.ts';
import { partBytesFor } from '../../../object-storage/part-bytes.ts';
import type { StoredBytes, UploadPart } from '../../store/upload-parts-store.ts';

/** After a kill at most so much is sent again, and each part is one request. */
export const minPartBytes = 8 * 1024 * 1024;
/** Before the keys of all uploads. */
export const uploadsPrefix = 'uploads/';
const keysPerList = 100;

/** Length of each part but the last of an upload. */
export function partBytesOf(length: number): number {
  return partBytesFor(length, minPartBytes);
}

/** The number of bytes of an upload that the object storage has. */
export function offsetOf(length: number, { part, tailBytes }: StoredBytes): number {
  return Math.min(length, (part?.number ?? 0) * partBytesOf(length) + tailBytes);
}

/** The key of the manifest of an upload, which any replica can read. */
export function manifestKeyOf(id: string): string {
  return `${prefixOf(id)}manifest.ndjson`;
}

/** The key of the bytes after the last part. @param parts Number of parts before them. */
export function tailKeyOf(id: string, parts: number): string {
  return `${prefixOf(id)}tail-${parts}`;
}

/** The key that stands for the body of an upload without a manifest, each part of which is an object. */
export function bodyKey(id: string): string {
  return `${prefixOf(id)}body`;
}

/**
 * The key of a part of such a body. The digest of its bytes keeps one that comes late, from a request
 * that another has ended, from replacing it.
 */
export function bodyKeyOf(id: string, { number, etag }: Pick<UploadPart, 'number' | 'etag'>): string {
  return `${bodyKey(id)}-${number}-${etag.slice(0, 16)}`;
}

/** A folder of this machine with a folder for each upload, for its manifest and parts that are not sent yet. */
export function localFolder({ paths }: { readonly paths: DataPaths }): string {
  return path.join(paths.staging, 'uploads');
}

export function localFolderOf(deps: { readonly paths: DataPaths }, id: string): string {
  return path.join(localFolder(deps), id);
}

/** Removes all objects of an upload but its archive. @throws ObjectStorageError */
export async function removeObjectsOf(storage: ObjectStorage, id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const some = await storage.list(prefixOf(id), '', keysPerList, signal);
    for (const { key } of some) await storage.remove(key, signal);
    if (some.length < keysPerList) return;
  }
}

function prefixOf(id: string): string {
  return `${uploadsPrefix}${id}/`;
}
