import type { Logger } from 'pino';
import type { AuditStores } from '../../audit/stores.ts';
import type { Events } from '../../common/events.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Database } from '../../database/port/database.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { HashedFile } from '../../files/hash-messages.ts';
import { JobFailed, parametersOf, type WorkContext, type WorkResult } from '../../jobs/job-work.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { assignObject } from '../objects/store-object.ts';
import { timesOf } from '../store/file-times.ts';
import type { PlannedFile } from '../store/registration-rows.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import type { ReadMember } from '../uploads/direct/direct-messages.ts';
import { createDirectThread, type DirectThread } from '../uploads/direct/direct-thread.ts';
import { targetOf } from '../uploads/direct/direct-uploads.ts';
import { fetchManifest } from '../uploads/direct/manifest-object.ts';
import { readArchive } from '../uploads/direct/read-archive.ts';
import { DamagedError } from '../uploads/members/member-receiver.ts';
import { LostUpload } from '../uploads/members/upload-failures.ts';
import type { RegistrationParameters } from './register.ts';
import { freezeFiles, makeAvailable } from './registration-freeze.ts';
import { requireTag } from './registration-members.ts';
import { clearReceived } from './registration-received.ts';
import { whileStorageAnswers, type StorageDeps } from './registration-store-object.ts';
import { unpackUpload, type UnpackedUpload } from './registration-unpack.ts';
import { RegistrationWriter } from './registration-write.ts';

const rowsPerSlice = 1000;
const removeTimeoutMs = 30_000;

type Deps = StorageDeps &
  Pick<MeasurementStores, 'registrations' | 'uploads' | 'uploadParts' | 'quotas'> &
  Pick<AuditStores, 'audit'> & {
    readonly config: ServiceConfig;
    readonly log: Logger;
    readonly events: Events;
    readonly database: Database;
    readonly settings: SettingsStore;
  };

/**
 * Registers an upload whose parts are in the object storage: makes one object of them, reads all of
 * it back, and makes the rows of its files from what was read. Every step can be done again.
 */
export async function registerObject(deps: Deps, context: WorkContext): Promise<WorkResult> {
  const { objectStorage: storage } = deps;
  if (!storage) throw new JobFailed('The object storage that has its bytes is not configured.');
  const parameters = parametersOf(context.job) as RegistrationParameters;
  const received = await deps.uploads.byId(parameters.upload ?? '');
  if (!received) throw new JobFailed('The upload was removed.');
  if (received.object_key === null) throw new JobFailed('What was uploaded was removed. Upload it again.');
  const { upload, tag: archiveTag, times } = await withManifest(deps, context, storage, received);
  const writer = await RegistrationWriter.open(deps, context);
  context.report({ filesTotal: upload.file_count ?? 0 });
  const sums = await verifiedSums(deps, context, storage, upload, writer);
  const { tag } = await freezeFiles(deps, context, writer, { ...writer.finish(), times });
  requireTag({ ...parameters, archiveTag }, tag);
  await whileStorageAnswers(context, 'Storing the list of files', async () => assign(deps, context, storage, sums));
  const result = await makeAvailable(deps, context, writer, tag);
  await clearReceived(deps, parameters);
  return result;
}

/** The archive of an upload; of one that came without a manifest it is made first. */
async function withManifest(
  deps: Deps,
  context: WorkContext,
  storage: ObjectStorage,
  upload: UploadRow,
): Promise<UnpackedUpload> {
  const { archive_tag: tag, files_from: began, files_to: ended } = upload;
  if (tag === null) return unpackUpload(deps, context, storage, upload);
  return { upload, tag, times: timesOf({ began, ended }) };
}

async function assign(deps: Deps, context: WorkContext, storage: ObjectStorage, sums: Uint8Array): Promise<void> {
  const measurement = await deps.measurements.byId(context.job.measurement_id);
  // Also one whose id a kill has lost.
  if (measurement) await storage.endUploads(objectKeyOf(measurement), context.signal);
  if (measurement && (await assignObject(deps, storage, measurement, sums, context.signal))) return;
  throw new JobFailed('The measurement was removed.');
}

/** @returns the sums of the blocks of the object. @throws JobFailed when its bytes are not those of the manifest. */
async function verifiedSums(
  deps: Deps,
  context: WorkContext,
  storage: ObjectStorage,
  upload: UploadRow,
  writer: RegistrationWriter,
): Promise<Uint8Array> {
  const thread = createDirectThread();
  try {
    return await whileStorageAnswers(context, 'Verifying what is stored', async (show) =>
      storedSums({ deps, context, storage, upload, writer, thread, show }),
    );
  } catch (error) {
    if (error instanceof LostUpload) throw new JobFailed(error.message, { cause: error });
    if (error instanceof JobFailed && error.cause instanceof DamagedError) await removeDamaged(deps, storage, upload);
    throw error;
  } finally {
    await thread.close(new Error('stopped'));
  }
}

interface Verifying {
  readonly deps: Deps;
  readonly context: WorkContext;
  readonly storage: ObjectStorage;
  readonly upload: UploadRow;
  readonly writer: RegistrationWriter;
  readonly thread: DirectThread;
  readonly show: (done: number) => void;
}

async function storedSums(verifying: Verifying): Promise<Uint8Array> {
  const { deps, context, storage, upload } = verifying;
  const { signal } = context;
  const { object_key: key, object_upload: uploadId, length } = upload;
  if (key === null || length === null) throw new JobFailed('What was uploaded was removed. Upload it again.');
  await deps.objects.announce({ object_key: key, measurement_id: upload.measurement_id, length }, Date.now());
  const folder = await fetchManifest(deps, storage, upload.id, signal);
  if ((await storage.lengthOf(key, signal)) === length) {
    try {
      // Complete already, or of a removed measurement with the same files, which must not be put at risk.
      return await sumsOf(verifying, key, folder);
    } catch (error) {
      if (!(error instanceof DamagedError) || uploadId === null) throw error;
    }
  }
  if (uploadId === null) throw new JobFailed('The object storage has lost what was uploaded. Upload it again.');
  await storage.completeParts({ key, length, uploadId }, await deps.uploadParts.etags(upload.id), signal);
  return sumsOf(verifying, key, folder);
}

async function sumsOf(
  { context, storage, upload, writer, thread, show }: Verifying,
  key: string,
  folder: string,
): Promise<Uint8Array> {
  let bytes = 0;
  return readArchive({
    storage,
    thread,
    key,
    target: targetOf(upload, folder),
    signal: context.signal,
    onBytes: (more) => show((bytes += more) / (upload.length ?? 1)),
    onMembers: async (members) => {
      // Rows that an earlier attempt wrote stay: they are of the same bytes.
      const more = members.filter(({ index }) => index >= writer.count);
      for (let at = 0; at < more.length; at += rowsPerSlice)
        await writer.write(more.slice(at, at + rowsPerSlice).map(rowOf));
    },
  });
}

function rowOf({ index, file, blocks, pieces }: ReadMember): {
  readonly file: PlannedFile;
  readonly digest: HashedFile;
} {
  const { path, length, crc32, sha256, registeredAt: at } = file;
  // Whole seconds, as for files that were received into a folder.
  const mtimeNs = String(BigInt(Math.max(0, Math.floor(at / 1000))) * 1_000_000_000n);
  return {
    file: { idx: index, path, source: '', length, mtime_ns: mtimeNs },
    digest: { index, length, crc32, sha256, mtimeNs, ctimeNs: null, blocks, pieces, at, location: '', healed: false },
  };
}

/** Unless a measurement that was removed, and may be restored, has the same object. */
async function removeDamaged(deps: Deps, storage: ObjectStorage, upload: UploadRow): Promise<void> {
  const { object_key: key, measurement_id: id, length } = upload;
  if (key === null || !(await deps.objects.claim(key))) return;
  try {
    await storage.remove(key, AbortSignal.timeout(removeTimeoutMs));
  } catch (error) {
    await deps.objects.announce({ object_key: key, measurement_id: id, length: length ?? 0 }, 0);
    deps.log.warn({ err: error, upload: upload.id }, 'an object with wrong bytes is not removed yet');
  }
}
