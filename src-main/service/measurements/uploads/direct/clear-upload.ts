import { rm } from 'node:fs/promises';
import type { DataPaths } from '../../../common/data-paths.ts';
import type { ObjectStorage } from '../../../object-storage/object-storage.ts';
import type { MeasurementStores } from '../../store/stores.ts';
import type { UploadRow } from '../../store/uploads-store.ts';
import { localFolderOf, removeObjectsOf } from './upload-objects.ts';

const timeoutMs = 30_000;

export type ClearUploadDeps = Pick<MeasurementStores, 'uploads'> & {
  readonly paths: DataPaths;
  readonly objectStorage: ObjectStorage | null;
};

/**
 * Removes what an upload left in the object storage and on this machine, but for an archive that is
 * complete.
 *
 * @throws ObjectStorageError; called again it goes on.
 */
export async function clearUpload(deps: ClearUploadDeps, { id }: Pick<UploadRow, 'id'>): Promise<void> {
  const { objectStorage: storage, uploads } = deps;
  await rm(localFolderOf(deps, id), { recursive: true, force: true });
  // Its parts may have begun since it was looked up.
  const upload = await uploads.byId(id);
  if (storage === null || upload === null || upload.object_key === null) return;
  const signal = AbortSignal.timeout(timeoutMs);
  if (upload.object_upload !== null) await storage.endParts(upload.object_key, upload.object_upload, signal);
  await removeObjectsOf(storage, id, signal);
  await uploads.cleared(id);
}
