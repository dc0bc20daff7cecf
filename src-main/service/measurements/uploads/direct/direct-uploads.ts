import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DataPaths } from '../../../common/data-paths.ts';
import { HttpProblem } from '../../../common/problem.ts';
import { ObjectStorageError, type ObjectStorage } from '../../../object-storage/object-storage.ts';
import type { MeasurementStores } from '../../store/stores.ts';
import type { UploadRow } from '../../store/uploads-store.ts';
import type { ByteSink } from '../members/byte-sink.ts';
import { LostUpload } from '../members/upload-failures.ts';
import { BodySink } from './body-sink.ts';
import type { DirectTarget } from './direct-messages.ts';
import { DirectSink } from './direct-sink.ts';
import { createDirectThread, type DirectThread } from './direct-thread.ts';
import { fetchManifest } from './manifest-object.ts';
import { PartBuffers } from './part-buffers.ts';
import { storageFailure, type WrittenUpload } from './part-sender.ts';
import { localFolder, localFolderOf, minPartBytes, offsetOf, tailKeyOf } from './upload-objects.ts';

/** Of all parts that are being sent. */
const maxBytesInMemory = 32 * 1024 * 1024;
const sliceBytes = 1024 * 1024;
const openTimeoutMs = 60_000;
/** A folder is made before its row. */
const minAgeMs = 3600_000;

export interface DirectUploadsDeps extends Pick<MeasurementStores, 'uploads' | 'uploadParts' | 'objects'> {
  readonly objectStorage: ObjectStorage | null;
  readonly paths: DataPaths;
}

/** Takes the bytes of uploads that go into the object storage as they come. */
export class DirectUploads {
  readonly #deps: DirectUploadsDeps;
  readonly #thread: DirectThread;
  readonly #buffers = new PartBuffers({ maxBytes: maxBytesInMemory, length: minPartBytes });

  constructor(deps: DirectUploadsDeps) {
    this.#deps = deps;
    this.#thread = createDirectThread();
  }

  /** The number of bytes that the object storage has. */
  async received(upload: UploadRow): Promise<number> {
    const stored = await this.#deps.uploadParts.stored(upload.id);
    return upload.archive_tag === null ? (stored.part?.position ?? 0) : offsetOf(upload.length ?? 0, stored);
  }

  /**
   * @param writer Who has the right to write.
   * @param isAtOnce whether all of the request counts or nothing; of an upload without a manifest.
   * @throws HttpProblem 503 while the storage does not answer, LostUpload.
   */
  async sinkOf(upload: UploadRow, writer: string, isAtOnce: boolean): Promise<ByteSink> {
    const storage = this.#storage();
    if (upload.archive_tag === null) return this.#openBody(storage, upload.id, writer, isAtOnce);
    const signal = AbortSignal.timeout(openTimeoutMs);
    try {
      // It may be another one than before the right to write was there.
      const row = (await this.#deps.uploads.byId(upload.id)) ?? upload;
      const folder = await fetchManifest(this.#deps, storage, upload.id, signal);
      return await this.#open(storage, writtenOf(row, writer, folder), targetOf(row, folder), signal);
    } catch (error) {
      await this.#thread.call('leave', [localFolderOf(this.#deps, upload.id), writer, false]);
      throw storageFailure(error);
    }
  }

  /** Removes folders of this machine of uploads that have ended, also at other replicas. */
  async sweep(now = Date.now()): Promise<void> {
    for (const id of await readdir(localFolder(this.#deps)).catch(() => [])) {
      const upload = await this.#deps.uploads.byId(id);
      const folder = localFolderOf(this.#deps, id);
      const isOver = upload === null ? await isOld(folder, now) : upload.object_key === null;
      if (isOver) await rm(folder, { recursive: true, force: true });
    }
  }

  async close(reason: Error, graceMs: number): Promise<void> {
    await this.#thread.close(reason, graceMs);
  }

  #storage(): ObjectStorage {
    if (this.#deps.objectStorage !== null) return this.#deps.objectStorage;
    throw new HttpProblem(503, 'The object storage of this upload is not configured.', {
      headers: { 'retry-after': '60' },
    });
  }

  async #openBody(storage: ObjectStorage, id: string, writer: string, isAtOnce: boolean): Promise<ByteSink> {
    const { uploadParts } = this.#deps;
    const folder = path.join(localFolderOf(this.#deps, id), writer);
    const { part } = await uploadParts.stored(id);
    const parts = part?.number ?? 0;
    await this.#thread.call('openBody', [folder, writer, part?.position ?? 0, parts + 1]);
    const deps = { thread: this.#thread, uploadParts, storage, buffers: this.#buffers };
    return new BodySink(deps, { id, writer, folder }, { parts, isAtOnce });
  }

  async #open(
    storage: ObjectStorage,
    upload: WrittenUpload,
    target: DirectTarget,
    signal: AbortSignal,
  ): Promise<ByteSink> {
    const thread = this.#thread;
    const { part, tailBytes } = await this.#deps.uploadParts.stored(upload.id);
    const parts = part?.number ?? 0;
    const offset = offsetOf(upload.length, { part, tailBytes });
    if (!(await thread.call('resume', [upload.folder, upload.writer, offset]))) {
      await thread.call('open', [target, upload.writer, part, parts + 1]);
      await this.#readTail(storage, upload, parts, tailBytes, signal);
    }
    const { uploadParts, objects } = this.#deps;
    return new DirectSink({ thread, uploadParts, objects, storage, buffers: this.#buffers }, upload, parts, tailBytes);
  }

  /** Verifies the bytes after the last part again, and has them in the file of the next one. */
  async #readTail(
    storage: ObjectStorage,
    { id, folder, writer }: WrittenUpload,
    parts: number,
    tailBytes: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (let at = 0; at < tailBytes; at += sliceBytes) {
      const slice = Buffer.allocUnsafeSlow(Math.min(sliceBytes, tailBytes - at));
      try {
        await storage.read(tailKeyOf(id, parts), at, slice, signal);
      } catch (error) {
        if (error instanceof ObjectStorageError && error.failure === 'missing')
          throw new LostUpload('The object storage has lost what came.', error);
        throw error;
      }
      const { damaged } = await this.#thread.call('write', [folder, writer, slice]);
      if (damaged !== null) throw new LostUpload('The object storage has other bytes than came.');
    }
  }
}

async function isOld(folder: string, now: number): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  return found !== null && now - found.mtimeMs > minAgeMs;
}

function writtenOf(upload: UploadRow, writer: string, folder: string): WrittenUpload {
  const { id, measurement_id: measurementId, length, object_key: objectKey, object_upload: objectUpload } = upload;
  if (length === null || objectKey === null) throw new Error('the upload does not go into the object storage');
  return { id, measurementId, length, objectKey, objectUpload, writer, folder };
}

/** An upload with a manifest, as the thread knows it. */
export function targetOf(upload: UploadRow, folder: string): DirectTarget {
  const { file_count: files, directory_offset: directoryOffset, length } = upload;
  if (files === null || directoryOffset === null || length === null) throw new Error('the upload has no manifest');
  return { folder, files, directoryOffset, archiveBytes: length };
}
