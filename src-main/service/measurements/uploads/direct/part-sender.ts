import { open, rm } from 'node:fs/promises';
import { HttpProblem } from '../../../common/problem.ts';
import { ObjectStorageError, type ObjectStorage } from '../../../object-storage/object-storage.ts';
import type { MeasurementStores } from '../../store/stores.ts';
import { LostUpload } from '../members/upload-failures.ts';
import type { SealedPart } from './direct-messages.ts';
import type { PartBuffers } from './part-buffers.ts';
import { partFile } from './part-file.ts';
import { partBytesOf, tailKeyOf } from './upload-objects.ts';

export interface PartSenderDeps extends Pick<MeasurementStores, 'uploadParts' | 'objects'> {
  readonly storage: ObjectStorage;
  /** For the bodies of all uploads together. */
  readonly buffers: PartBuffers;
}

/** An upload while one request writes to it. */
export interface WrittenUpload {
  readonly id: string;
  readonly measurementId: string;
  readonly length: number;
  readonly objectKey: string;
  /** Null before the first part. */
  readonly objectUpload: string | null;
  /** Who has the right to write. */
  readonly writer: string;
  /** Of this machine, with its manifest and the files of its parts. */
  readonly folder: string;
}

/** Puts parts of one upload into the object storage, and notes them when they are there. */
export class PartSender {
  readonly #deps: PartSenderDeps;
  readonly #upload: WrittenUpload;
  readonly #signal: AbortSignal;
  #objectUpload: string | null;

  constructor(deps: PartSenderDeps, upload: WrittenUpload, signal: AbortSignal) {
    this.#deps = deps;
    this.#upload = upload;
    this.#signal = signal;
    this.#objectUpload = upload.objectUpload;
  }

  /**
   * Sends the file of a part, and removes it.
   *
   * @throws HttpProblem 503 while the storage takes nothing, 409 when another request has the right to
   * write, LostUpload when the storage has lost the parts before.
   */
  async send(number: number, sealed: SealedPart): Promise<void> {
    const { id, writer, folder, length } = this.#upload;
    const file = partFile(folder, number);
    const isOnly = length <= partBytesOf(length);
    const etag = await this.#stored(async () =>
      this.#deps.buffers.run(sealed.length, async (body) => {
        await fillFromFile(body, file);
        return isOnly ? this.#putObject(body, sealed) : this.#putPart(number, body, sealed);
      }),
    );
    const isNoted = isOnly
      ? await this.#deps.uploadParts.setTail(id, writer, length)
      : await this.#deps.uploadParts.add(id, writer, { number, etag, ...sealed.checkpoint });
    if (!isNoted) throw takenByOther();
    await rm(file, { force: true });
  }

  /** Keeps the bytes after the last part in an object of their own. @throws as `send` */
  async sendTail(number: number, sealed: SealedPart): Promise<void> {
    const { id, writer, folder } = this.#upload;
    await this.#stored(async () =>
      this.#deps.buffers.run(sealed.length, async (body) => {
        await fillFromFile(body, partFile(folder, number));
        await this.#deps.storage.putWhole(tailKeyOf(id, number - 1), body, sealed.sha256, this.#signal);
      }),
    );
    if (!(await this.#deps.uploadParts.setTail(id, writer, sealed.length))) throw takenByOther();
  }

  /** Removes the object of a tail that is in a part now; one that stays is removed with the upload. */
  async removeTail(parts: number): Promise<void> {
    await this.#deps.storage.remove(tailKeyOf(this.#upload.id, parts), this.#signal).catch(() => undefined);
  }

  /** An archive of one part is put whole: all of its bytes were verified since its first one. */
  async #putObject(body: Buffer, { sha256 }: SealedPart): Promise<string> {
    await this.#announce();
    await this.#deps.storage.putWhole(this.#upload.objectKey, body, sha256, this.#signal);
    return '';
  }

  async #putPart(number: number, body: Buffer, { sha256 }: SealedPart): Promise<string> {
    const { storage } = this.#deps;
    const { objectKey: key } = this.#upload;
    const uploadId = (this.#objectUpload ??= await this.#begin());
    try {
      return await storage.putPart({ key, uploadId, number, body, sha256 }, this.#signal);
    } catch (error) {
      if (error instanceof ObjectStorageError && error.failure === 'missing')
        throw new LostUpload('The object storage has lost what came.', error);
      throw error;
    }
  }

  async #begin(): Promise<string> {
    const { storage, uploadParts } = this.#deps;
    const { id, writer, objectKey } = this.#upload;
    await this.#announce();
    const begun = await storage.beginParts(objectKey, this.#signal);
    if (await uploadParts.begin(id, writer, begun)) return begun;
    await storage.endParts(objectKey, begun, this.#signal).catch(() => undefined);
    throw takenByOther();
  }

  /** So that the upkeep of objects removes what nobody registers. */
  async #announce(): Promise<void> {
    const { objectKey, measurementId, length } = this.#upload;
    await this.#deps.objects.announce({ object_key: objectKey, measurement_id: measurementId, length }, Date.now());
  }

  async #stored<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw storageFailure(error);
    }
  }
}

/** An error of the object storage as the answer of a request. */
export function storageFailure(error: unknown): unknown {
  if (!(error instanceof ObjectStorageError)) return error;
  return new HttpProblem(503, 'The object storage takes nothing now. What it has is kept; go on later.', {
    type: 'storage-away',
    headers: { 'retry-after': '10' },
    cause: error,
  });
}

/** Fills a buffer with the first bytes of a file. */
export async function fillFromFile(body: Buffer, file: string): Promise<void> {
  const handle = await open(file);
  try {
    for (let at = 0; at < body.length;) {
      const { bytesRead } = await handle.read(body, at, body.length - at, at);
      if (bytesRead === 0) throw new Error('the file of a part is shorter than it was');
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

export function takenByOther(): HttpProblem {
  return new HttpProblem(409, 'Another request goes on with this upload.', { type: 'upload-taken' });
}
