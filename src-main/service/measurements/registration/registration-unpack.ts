import type { DataPaths } from '../../common/data-paths.ts';
import { formatBytes } from '../../common/format-bytes.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import { JobFailed, parametersOf, type WorkContext } from '../../jobs/job-work.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { RemoteError } from '../../workers/worker-errors.ts';
import { readIgnoreList } from '../file-worker/ignore-list.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import type { FileTimes } from '../store/file-times.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { bodyKeyOf, localFolderOf } from '../uploads/direct/upload-objects.ts';
import {
  wrongBytes,
  type BodyToUnpack,
  type FoundManifest,
  type ListedBody,
  type Outcome,
} from '../uploads/unpack/unpack-messages.ts';
import { createUnpackThread, type UnpackThread } from '../uploads/unpack/unpack-thread.ts';
import type { RegistrationParameters } from './register.ts';
import { checkQuota, refusalText } from './registration-plan.ts';
import { whileStorageAnswers } from './registration-store-object.ts';

/** Above this size an archive may unpack to so many times its own length. */
const modestBytes = 10 * 1024 ** 3;
const maxRatio = 100;
/** Memory that is shared with the thread. */
const fillBytes = 1024 * 1024;

type Deps = Pick<MeasurementStores, 'uploadParts' | 'objects' | 'quotas'> & {
  readonly paths: DataPaths;
  readonly settings: SettingsStore;
};

/** An upload as if it had come with a manifest, whose archive is in the object storage. */
export interface UnpackedUpload {
  readonly upload: UploadRow;
  readonly tag: string;
  readonly times: FileTimes | null;
}

/**
 * Makes the archive of an upload without a manifest, whose body is in the object storage: reads it
 * there for the checksums of its files, and then again, or from a copy on this machine, for their
 * bytes. Every step can be done again, and gives the same archive.
 *
 * @throws JobFailed, or the signal's reason.
 */
export async function unpackUpload(
  deps: Deps,
  context: WorkContext,
  storage: ObjectStorage,
  upload: UploadRow,
): Promise<UnpackedUpload> {
  const body = await bodyOf(deps, context, upload);
  const thread = new Unpacking(context, storage, upload.id, body);
  try {
    const { files, bytes, refusals } = await whileStorageAnswers(context, 'Listing the files', async () =>
      thread.list(),
    );
    if (refusals.total > 0) throw new JobFailed(refusalText(refusals), { code: 'refused-names' });
    context.report({ filesTotal: files, bytesTotal: bytes });
    requireModest(bytes, body);
    await checkQuota(deps, upload.measurement_id, bytes);
    await whileStorageAnswers(context, 'Computing checksums', async (show) => thread.hash(bytes, show));
    const { archive, tag, times } = await thread.writeManifest();
    const key = objectKeyOf({ id: upload.measurement_id, archive_tag: tag });
    const { archiveBytes: length, files: fileCount, directoryOffset } = archive;
    await deps.objects.announce({ object_key: key, measurement_id: upload.measurement_id, length }, Date.now());
    await whileStorageAnswers(context, 'Storing the archive', async (show) => thread.put(key, length, show));
    const whole = { length, archive_tag: tag, file_count: fileCount, directory_offset: directoryOffset };
    return { upload: { ...upload, ...whole, object_key: key, object_upload: null }, tag, times };
  } finally {
    await thread.close();
  }
}

/** Keeps the list of ignored names with the job: rows that were written before a kill must fit. */
async function bodyOf(deps: Deps, context: WorkContext, upload: UploadRow): Promise<BodyToUnpack> {
  const known = (parametersOf(context.job) as RegistrationParameters).ignoreList;
  const ignoreList = known ?? (await readIgnoreList(deps.settings));
  if (known === undefined) await context.remember({ ignoreList });
  const parts = await deps.uploadParts.body(upload.id);
  const folder = localFolderOf(deps, upload.id);
  return { parts, folder, fileName: upload.file_name, modifiedAt: context.job.created_at, ignoreList };
}

/** A bucket has no end that would stop a small archive which unpacks to a huge one. @throws JobFailed */
function requireModest(bytes: number, { parts }: BodyToUnpack): void {
  const packed = parts.at(-1)?.position ?? 0;
  if (bytes <= modestBytes || bytes <= maxRatio * packed) return;
  throw new JobFailed(
    `It unpacks to ${formatBytes(bytes)}, more than ${maxRatio} times its length. Upload its files with "benchport upload".`,
  );
}

/** The thread that unpacks, and the object storage that it reads. */
class Unpacking {
  readonly #context: WorkContext;
  readonly #storage: ObjectStorage;
  readonly #body: BodyToUnpack;
  readonly #thread: UnpackThread;
  readonly #shared = Buffer.from(new SharedArrayBuffer(fillBytes));
  #failure: ObjectStorageError | null = null;
  #onHashed: (bytes: number) => void = () => {};

  constructor(context: WorkContext, storage: ObjectStorage, id: string, body: BodyToUnpack) {
    this.#context = context;
    this.#storage = storage;
    this.#body = body;
    this.#thread = createUnpackThread({
      read: async (part, from, bytes) => this.#read(id, part, from, bytes),
      hashed: (bytes) => this.#onHashed(bytes),
    });
  }

  async list(): Promise<ListedBody> {
    return accepted(await this.#asked(async () => this.#thread.call('list', [this.#body])));
  }

  async hash(total: number, show: (done: number) => void): Promise<void> {
    let bytes = 0;
    this.#onHashed = (more) => show((bytes += more) / Math.max(1, total));
    accepted(await this.#asked(async () => this.#thread.call('hash', [])));
  }

  async writeManifest(): Promise<FoundManifest> {
    return accepted(await this.#asked(async () => this.#thread.call('writeManifest', [])));
  }

  /** Puts the archive, unless it is there: what it has is read back later. */
  async put(key: string, length: number, show: (done: number) => void): Promise<void> {
    const { signal } = this.#context;
    if ((await this.#storage.lengthOf(key, signal)) === length) return;
    let bytes = 0;
    const fill = async (part: Buffer, position: number): Promise<void> => {
      for (let at = 0; at < part.length; at += fillBytes) {
        const slice = this.#shared.subarray(0, Math.min(fillBytes, part.length - at));
        await this.#asked(async () => this.#thread.call('fill', [slice, position + at]));
        slice.copy(part, at);
        show((bytes += slice.length) / length);
      }
    };
    await this.#storage.put(key, length, fill, signal);
  }

  async close(): Promise<void> {
    await this.#thread.close(new Error('stopped'));
  }

  async #read(id: string, index: number, from: number, bytes: Uint8Array): Promise<void> {
    const part = this.#body.parts[index];
    if (part === undefined) throw new RangeError('the upload has fewer parts');
    const into = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      await this.#storage.read(bodyKeyOf(id, part), from, into, this.#context.signal);
    } catch (error) {
      if (error instanceof ObjectStorageError) this.#failure = error;
      throw error;
    }
  }

  /** @throws the failure of the object storage for which the thread has none. */
  async #asked<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#failure = null;
    try {
      return await call();
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (this.#failure !== null) throw this.#failure;
      if (error instanceof RemoteError && error.code === wrongBytes)
        throw new ObjectStorageError('bad-answer', `${this.#storage.place} returns other bytes than it was sent.`);
      throw error;
    }
  }
}

/** @throws JobFailed with the reason for which it is no measurement. */
function accepted<T>(outcome: Outcome<T>): T {
  if (outcome.refused === null) return outcome.value;
  throw new JobFailed(outcome.refused);
}
