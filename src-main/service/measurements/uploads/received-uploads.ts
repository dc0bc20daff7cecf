import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorCode } from '../../common/error-code.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import type { Upload } from '../../contract/measurements.ts';
import type { Principal } from '../../http/principal.ts';
import { usesLibrary, type CreateUploadDeps } from './create-upload.ts';
import { createWithManifest, type CreatedUpload, type CreateWithManifestDeps } from './create-with-manifest.ts';
import { failUpload, finishUpload, removeLeft, type FinishUploadDeps } from './finish-upload.ts';
import { receiveBody } from './receive-body.ts';
import type { Checksum } from './tus-headers.ts';
import { fileSink, type ByteSink } from './members/byte-sink.ts';
import { DirectUploads, type DirectUploadsDeps } from './direct/direct-uploads.ts';
import { memberSink } from './member-sink.ts';
import type { ReceiveTarget } from './members/receive-messages.ts';
import { createReceiveThread, type ReceiveThread } from './members/receive-thread.ts';
import { DamagedUpload, LostUpload } from './members/upload-failures.ts';
import { fileLength, fileOf, folderOf, makePlace } from './upload-files.ts';
import { offsetAfterEnd, requireOffset } from './upload-offset.ts';
import { UploadLimits } from './upload-limits.ts';
import { uploadShape } from './upload-shape.ts';
import { UploadWriters, type UploadWriter } from './upload-writers.ts';

const leftAfterMs = 60_000;
const leftAtOnce = 100;
/** For what came to reach the disk. */
const closeTimeoutMs = 3000;
const closePauseMs = 20;

export type ReceivedUploadsDeps = CreateUploadDeps &
  CreateWithManifestDeps &
  FinishUploadDeps &
  DirectUploadsDeps &
  Pick<ServiceContext, 'cluster'> & { readonly log: Logger; readonly diskSpace: DiskSpaceMonitor };

/** Takes the bytes of uploads, and has those that are whole registered. */
export class ReceivedUploads {
  readonly #deps: ReceivedUploadsDeps;
  readonly #writers: UploadWriters;
  readonly #thread: ReceiveThread;
  readonly #direct: DirectUploads;
  readonly #limits = new UploadLimits();
  #receiving = 0;

  constructor(deps: ReceivedUploadsDeps) {
    this.#deps = deps;
    this.#writers = new UploadWriters(deps.uploads, deps.cluster);
    this.#thread = createReceiveThread();
    this.#direct = new DirectUploads(deps);
  }

  /** The number of bytes that are there. */
  async received(upload: UploadRow): Promise<number> {
    if (upload.ended_at !== null) return upload.length ?? 0;
    if (upload.object_key !== null) return this.#direct.received(upload);
    if (upload.archive_tag === null) return fileLength(this.#deps, upload);
    return this.#present(upload, async () => {
      const { offset } = await this.#thread.call('locate', [folderOf(this.#deps, upload.id)]);
      return offset;
    });
  }

  /** After a restored backup the row is there without its manifest, and nothing can go on. */
  async #present<Result>(upload: UploadRow, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      const problem = 'Its manifest is gone, as after a restored backup. Begin the upload again.';
      await failUpload(this.#deps, upload, problem);
      throw new HttpProblem(410, problem, { cause: error });
    }
  }

  async shape(upload: UploadRow): Promise<Upload> {
    return uploadShape(this.#deps, upload, await this.received(upload));
  }

  /** Begins an upload with a manifest, see `createWithManifest`. */
  async create(principal: Principal, body: IncomingMessage): Promise<CreatedUpload> {
    return this.#limits.within(principal.userId, async () =>
      createWithManifest(this.#deps, this.#thread, principal, body),
    );
  }

  /**
   * Appends a body. What came stays when the client goes away.
   *
   * @returns the bytes that are there and on disk.
   * @throws HttpProblem 409 for another offset than that of the bytes that are there.
   */
  async append(upload: UploadRow, body: IncomingMessage, from: number, checksum: Checksum | null): Promise<number> {
    if (upload.ended_at !== null) return offsetAfterEnd(upload, from);
    return this.#limits.within(upload.owner_id, async () => {
      const writer = await this.#writers.take(upload.id);
      let end;
      try {
        end = await this.#receive(upload, body, from, checksum, writer);
        // Before the release, so that nobody else registers it at the same time.
        if (end === upload.length) await finishUpload(this.#deps, upload);
      } catch (error) {
        if (error instanceof DamagedUpload || error instanceof LostUpload)
          await failUpload(this.#deps, upload, error.message);
        throw error;
      } finally {
        await writer.release();
      }
      return end;
    });
  }

  /**
   * Takes a body to its end, whatever its length, and has it registered. Nothing stays when the
   * client goes away.
   */
  async takeWhole(upload: UploadRow, body: IncomingMessage): Promise<void> {
    await this.#limits.within(upload.owner_id, async () => {
      const writer = await this.#writers.take(upload.id);
      let length;
      try {
        length = await this.#receive(upload, body, 0, null, writer);
      } catch (error) {
        await writer.release();
        await this.remove(upload);
        throw error;
      }
      try {
        await this.#deps.uploads.setLength(upload.id, length);
        await finishUpload(this.#deps, { ...upload, length });
      } finally {
        await writer.release();
      }
    });
  }

  /** Has an upload registered whose last answer was lost by a kill. */
  async finishIfWhole(upload: UploadRow): Promise<UploadRow> {
    if (upload.ended_at !== null || upload.length === null) return upload;
    if ((await this.received(upload)) < upload.length) return upload;
    // A request that still writes registers it itself, or takes back bytes with a wrong checksum.
    const writer = await this.#writers.tryTake(upload.id);
    if (writer === null) return upload;
    try {
      await finishUpload(this.#deps, upload);
    } finally {
      await writer.release();
    }
    return (await this.#deps.uploads.byId(upload.id)) ?? upload;
  }

  /** @throws HttpProblem 409 while it is being registered: its job can be cancelled. */
  async remove(upload: UploadRow): Promise<void> {
    if (upload.job_id !== null) {
      throw new HttpProblem(409, 'All of it has come. Cancel its registration, or remove the measurement.', {
        type: 'upload-whole',
      });
    }
    const writer = upload.ended_at === null ? await this.#writers.take(upload.id) : null;
    try {
      if (await removeLeft(this.#deps, upload)) await this.#deps.uploads.remove(upload.id);
      else await this.#deps.uploads.fail(upload.id, 'It was given up.', Date.now());
    } finally {
      await writer?.release();
    }
  }

  /** Has those registered whose last answer was lost, and about which nobody asks. */
  async finishLeft(now = Date.now()): Promise<void> {
    for (const upload of await this.#deps.uploads.waiting(now - leftAfterMs, leftAtOnce))
      await this.finishIfWhole(upload).catch((error: unknown) =>
        this.#deps.log.warn({ err: error, upload: upload.id }, 'an upload that is whole is not registered'),
      );
  }

  /** Ends all requests that send; what came is kept. */
  stop(): void {
    this.#writers.close();
  }

  /** Removes what this machine still has of uploads that ended. */
  async sweep(): Promise<void> {
    await this.#direct.sweep();
  }

  async close(): Promise<void> {
    const stops = new Error('the service stops');
    for (const late = performance.now() + closeTimeoutMs; this.#receiving > 0 && performance.now() < late;)
      await setTimeout(closePauseMs);
    await Promise.all([this.#thread.close(stops, closeTimeoutMs), this.#direct.close(stops, closeTimeoutMs)]);
  }

  async #receive(
    upload: UploadRow,
    body: IncomingMessage,
    from: number,
    checksum: Checksum | null,
    { token, signal }: UploadWriter,
  ): Promise<number> {
    this.#receiving += 1;
    try {
      const sink = await this.#sinkAt(upload, from, checksum, token);
      const isWatched = usesLibrary(this.#deps, upload.object_key !== null);
      const isLow = (): boolean => isWatched && this.#deps.diskSpace.low;
      return await receiveBody({ sink, body, offset: from, maxLength: upload.length, checksum, isLow, signal });
    } finally {
      this.#receiving -= 1;
    }
  }

  /** @throws HttpProblem 409 when bytes are missing before this offset, or are there after it. */
  async #sinkAt(upload: UploadRow, from: number, checksum: Checksum | null, writer: string): Promise<ByteSink> {
    if (checksum !== null && upload.archive_tag !== null)
      throw new HttpProblem(400, 'The manifest of this upload has its checksums. Send it without Upload-Checksum.');
    if (upload.object_key !== null) {
      requireOffset(from, await this.#direct.received(upload));
      return this.#direct.sinkOf(upload, writer, checksum !== null);
    }
    const target = targetOf(this.#deps, upload);
    if (target === null) {
      const there = await fileLength(this.#deps, upload);
      requireOffset(from, there);
      // After a restored backup the row is there without its bytes.
      if (there === 0) await makePlace(this.#deps, upload);
      return fileSink(fileOf(this.#deps, upload), from);
    }
    const { sink, offset } = await this.#present(upload, async () => memberSink(this.#thread, target));
    try {
      requireOffset(from, offset);
      return sink;
    } catch (error) {
      await sink.close();
      throw error;
    }
  }
}

/** Null for an upload without a manifest. */
function targetOf(deps: Pick<ReceivedUploadsDeps, 'paths'>, upload: UploadRow): ReceiveTarget | null {
  const { file_count: files, directory_offset: directoryOffset, length } = upload;
  if (files === null || directoryOffset === null || length === null) return null;
  return { folder: folderOf(deps, upload.id), files, directoryOffset, archiveBytes: length };
}
