import { rm } from 'node:fs/promises';
import { HttpProblem } from '../../../common/problem.ts';
import type { UploadPart } from '../../store/upload-parts-store.ts';
import type { ByteSink } from '../members/byte-sink.ts';
import { ThreadWrites } from '../members/thread-writes.ts';
import type { DirectThread } from './direct-thread.ts';
import { partFile } from './part-file.ts';
import { fillFromFile, storageFailure, takenByOther, type PartSenderDeps, type WrittenUpload } from './part-sender.ts';
import { bodyKeyOf, minPartBytes } from './upload-objects.ts';

/** Each has a row; a client that sends little with each request would make too many of them. */
const maxParts = 100_000;
/** For what came before a cut. */
const closeTimeoutMs = 20_000;

type BodySinkDeps = Pick<PartSenderDeps, 'uploadParts' | 'storage' | 'buffers'> & { readonly thread: DirectThread };
type WrittenBody = Pick<WrittenUpload, 'id' | 'writer'> & {
  /** Of this request, for the files of its parts. */
  readonly folder: string;
};

export interface BodySinkOptions {
  /** Number of parts that are stored. */
  readonly parts: number;
  /** Whether all of the request counts or nothing. */
  readonly isAtOnce: boolean;
}

/**
 * Takes the bytes of an upload without a manifest: a thread collects parts in files, and each is an
 * object of its own, so that any replica takes the next. A part ends after 8 MiB, or with its request.
 * All bytes before are stored when `sync` or `close` resolves.
 */
export class BodySink implements ByteSink {
  readonly #deps: BodySinkDeps;
  readonly #upload: WrittenBody;
  readonly #writes: ThreadWrites;
  readonly #isAtOnce: boolean;
  readonly #closing = new AbortController();
  /** Stored, and not noted yet. */
  readonly #waiting: UploadPart[] = [];
  #sending: Promise<void> = Promise.resolve();
  /** Number of the part that is filled, from 1 on, and its bytes so far. */
  #part: number;
  #partBytes = 0;
  #isSound = true;

  constructor(deps: BodySinkDeps, upload: WrittenBody, { parts, isAtOnce }: BodySinkOptions) {
    this.#deps = deps;
    this.#upload = upload;
    this.#writes = new ThreadWrites(async (bytes) => deps.thread.call('write', [upload.folder, upload.writer, bytes]));
    this.#isAtOnce = isAtOnce;
    this.#part = parts + 1;
  }

  async write(chunk: Buffer): Promise<void> {
    await this.#guarded(async () => {
      for (let at = 0; at < chunk.length;) {
        const taken = await this.#writes.write(chunk.subarray(at, at + minPartBytes - this.#partBytes));
        at += taken;
        this.#partBytes += taken;
        if (this.#partBytes === minPartBytes) await this.#endPart();
      }
    });
  }

  async sync(): Promise<void> {
    await this.#guarded(async () => {
      if (this.#partBytes > 0) await this.#endPart();
      await this.#sending;
      await this.#note();
    });
  }

  /** Parts that are stored and not noted are sent anew, or removed with the upload. */
  async undo(): Promise<void> {
    this.#isSound = false;
  }

  async close(): Promise<void> {
    const late = setTimeout(() => this.#closing.abort(new Error('the request has ended')), closeTimeoutMs);
    if (this.#isSound) await this.sync().catch(() => undefined);
    // A part that is being sent reads its file.
    await this.#sending.catch(() => undefined);
    clearTimeout(late);
    const { folder, writer } = this.#upload;
    await this.#deps.thread.call('leave', [folder, writer, false]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }

  async #endPart(): Promise<void> {
    const number = this.#part;
    if (number > maxParts)
      throw new HttpProblem(
        413,
        `It came in more than ${maxParts} parts. Send more with each request, or a manifest.`,
        {
          type: 'too-many-parts',
        },
      );
    await this.#writes.settle();
    const { folder, writer } = this.#upload;
    const sealed = await this.#deps.thread.call('seal', [folder, writer, true]);
    await this.#sending;
    this.#part += 1;
    this.#partBytes = 0;
    this.#sending = this.#send(sealed.length, { number, etag: sealed.sha256, ...sealed.checkpoint });
    this.#sending.catch(() => undefined);
  }

  async #send(length: number, part: UploadPart): Promise<void> {
    const { id, folder } = this.#upload;
    const { buffers, storage } = this.#deps;
    const file = partFile(folder, part.number);
    try {
      await buffers.run(length, async (body) => {
        await fillFromFile(body, file);
        await storage.putWhole(bodyKeyOf(id, part), body, part.etag, this.#closing.signal);
      });
    } catch (error) {
      throw storageFailure(error);
    }
    await rm(file, { force: true });
    this.#waiting.push(part);
    if (!this.#isAtOnce) await this.#note();
  }

  async #note(): Promise<void> {
    const { id, writer } = this.#upload;
    for (let part = this.#waiting[0]; part !== undefined; part = this.#waiting[0]) {
      if (!(await this.#deps.uploadParts.add(id, writer, part))) throw takenByOther();
      this.#waiting.shift();
    }
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#isSound = false;
      throw error;
    }
  }
}
