import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { HttpProblem } from '../../common/problem.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import type { CreateUploadDeps } from './create-upload.ts';
import { finishUpload, type FinishUploadDeps } from './finish-upload.ts';
import { receiveBody } from './receive-body.ts';
import type { Checksum } from './tus-headers.ts';
import { fileOf, makePlace, receivedBytes, removeFiles } from './upload-files.ts';
import { UploadWriters } from './upload-writers.ts';

const maxPerUser = 16;
const maxTogether = 128;
const leftAfterMs = 60_000;
const leftAtOnce = 100;

export type ReceivedUploadsDeps = CreateUploadDeps &
  FinishUploadDeps &
  Pick<ServiceContext, 'cluster'> & { readonly log: Logger; readonly diskSpace: DiskSpaceMonitor };

/** Takes the bytes of uploads, and has those that are whole registered. */
export class ReceivedUploads {
  readonly #deps: ReceivedUploadsDeps;
  readonly #writers: UploadWriters;
  /** Requests by user. */
  readonly #running = new Map<number, number>();
  #together = 0;

  constructor(deps: ReceivedUploadsDeps) {
    this.#deps = deps;
    this.#writers = new UploadWriters(deps.uploads, deps.cluster);
  }

  /**
   * Appends a body. What came stays when the client goes away.
   *
   * @returns the bytes that are there and on disk.
   * @throws HttpProblem 409 for another offset than that of the bytes that are there.
   */
  async append(upload: UploadRow, body: IncomingMessage, from: number, checksum: Checksum | null): Promise<number> {
    if (upload.ended_at !== null) return ended(upload, from);
    return this.#counted(upload.owner_id, async () => {
      const writer = await this.#writers.take(upload.id);
      let end;
      try {
        end = await this.#receive(upload, body, from, checksum, writer.signal);
        // Before the release, so that nobody else registers it at the same time.
        if (end === upload.length) await finishUpload(this.#deps, upload);
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
    await this.#counted(upload.owner_id, async () => {
      const writer = await this.#writers.take(upload.id);
      let length;
      try {
        length = await this.#receive(upload, body, 0, null, writer.signal);
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
    if ((await receivedBytes(this.#deps, upload)) < upload.length) return upload;
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
    await removeFiles(this.#deps, upload.id);
    await this.#deps.uploads.remove(upload.id);
    await writer?.release();
  }

  /** Has those registered whose last answer was lost, and about which nobody asks. */
  async finishLeft(now = Date.now()): Promise<void> {
    for (const upload of await this.#deps.uploads.waiting(now - leftAfterMs, leftAtOnce))
      await this.finishIfWhole(upload).catch((error: unknown) =>
        this.#deps.log.warn({ err: error, upload: upload.id }, 'an upload that is whole is not registered'),
      );
  }

  close(): void {
    this.#writers.close();
  }

  async #receive(
    upload: UploadRow,
    body: IncomingMessage,
    from: number,
    checksum: Checksum | null,
    signal: AbortSignal,
  ): Promise<number> {
    const there = await receivedBytes(this.#deps, upload);
    if (there !== from)
      throw new HttpProblem(409, `${there} bytes are there. Go on with them as Upload-Offset.`, {
        type: 'wrong-offset',
        headers: { 'upload-offset': String(there) },
      });
    // After a restored backup the row is there without its bytes.
    if (there === 0) await makePlace(this.#deps, upload);
    return receiveBody({
      file: fileOf(this.#deps, upload),
      body,
      offset: from,
      maxLength: upload.length,
      checksum,
      isLow: () => this.#deps.diskSpace.low,
      signal,
    });
  }

  async #counted<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
    const own = (this.#running.get(userId) ?? 0) + 1;
    if (own > maxPerUser || this.#together >= maxTogether)
      throw new HttpProblem(429, 'Too many uploads are running. Go on when others have ended.', {
        type: 'too-many-uploads',
        headers: { 'retry-after': '10' },
      });
    this.#running.set(userId, own);
    this.#together += 1;
    try {
      return await work();
    } finally {
      this.#together -= 1;
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
    }
  }
}

/** The answer to bytes after all have come: none are needed. */
function ended(upload: UploadRow, from: number): number {
  if (upload.job_id !== null && from === upload.length) return from;
  throw new HttpProblem(upload.problem === null ? 409 : 410, upload.problem ?? 'All of this upload has come.');
}
