import type { ByteSink } from '../members/byte-sink.ts';
import { ThreadWrites } from '../members/thread-writes.ts';
import type { SealedPart } from './direct-messages.ts';
import type { DirectThread } from './direct-thread.ts';
import { PartSender, type PartSenderDeps, type WrittenUpload } from './part-sender.ts';
import { partBytesOf } from './upload-objects.ts';

/** For what came before a cut. */
const closeTimeoutMs = 20_000;

/**
 * Takes the bytes of an upload: a thread verifies them and collects parts in files, and each part is
 * sent to the object storage while the next one comes. What came is stored when `sync` or `close`
 * resolves.
 */
export class DirectSink implements ByteSink {
  readonly undo = null;
  readonly #thread: DirectThread;
  readonly #upload: WrittenUpload;
  readonly #sender: PartSender;
  readonly #partBytes: number;
  readonly #writes: ThreadWrites;
  readonly #closing = new AbortController();
  #sending: Promise<void> = Promise.resolve();
  /** Of the part that is filled, from 1 on. */
  #part: number;
  #end: number;
  /** Bytes of the part that is filled which are stored as a tail. */
  #tailBytes: number;
  #isSound = true;

  /** @param parts Number of parts that are stored. @param tailBytes Bytes after them, which the thread knows. */
  constructor(
    deps: PartSenderDeps & { readonly thread: DirectThread },
    upload: WrittenUpload,
    parts: number,
    tailBytes: number,
  ) {
    this.#thread = deps.thread;
    this.#upload = upload;
    this.#partBytes = partBytesOf(upload.length);
    this.#writes = new ThreadWrites(async (bytes) => deps.thread.call('write', [upload.folder, upload.writer, bytes]));
    this.#sender = new PartSender(deps, upload, this.#closing.signal);
    this.#part = parts + 1;
    this.#end = parts * this.#partBytes + tailBytes;
    this.#tailBytes = tailBytes;
  }

  async write(chunk: Buffer): Promise<void> {
    await this.#guarded(async () => {
      for (let at = 0; at < chunk.length;) {
        const border = Math.min(this.#upload.length, this.#part * this.#partBytes);
        const taken = await this.#writes.write(chunk.subarray(at, at + border - this.#end));
        at += taken;
        this.#end += taken;
        if (this.#end === border) await this.#endPart();
      }
    });
  }

  async sync(): Promise<void> {
    await this.#guarded(async () => {
      await this.#writes.settle();
      await this.#sending;
      const tailBytes = this.#isWhole ? 0 : this.#end - (this.#part - 1) * this.#partBytes;
      if (tailBytes === this.#tailBytes) return;
      await this.#sender.sendTail(this.#part, await this.#seal(false));
      this.#tailBytes = tailBytes;
    });
  }

  async close(): Promise<void> {
    const late = setTimeout(() => this.#closing.abort(new Error('the request has ended')), closeTimeoutMs);
    if (this.#isSound) await this.sync().catch(() => undefined);
    // A part that is being sent reads its file.
    await this.#sending.catch(() => undefined);
    clearTimeout(late);
    const { folder, writer } = this.#upload;
    await this.#thread.call('leave', [folder, writer, this.#isSound && !this.#isWhole]).catch(() => undefined);
  }

  get #isWhole(): boolean {
    return this.#end === this.#upload.length;
  }

  async #endPart(): Promise<void> {
    await this.#writes.settle();
    const number = this.#part;
    const sealed = await this.#seal(true);
    await this.#sending;
    const hadTail = this.#tailBytes > 0;
    this.#part += 1;
    this.#tailBytes = 0;
    this.#sending = this.#sender.send(number, sealed).then(async () => {
      if (hadTail) await this.#sender.removeTail(number - 1);
    });
    this.#sending.catch(() => undefined);
  }

  async #seal(isWhole: boolean): Promise<SealedPart> {
    return this.#thread.call('seal', [this.#upload.folder, this.#upload.writer, isWhole]);
  }

  /** After a failure what is known of the upload is what the storage has. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#isSound = false;
      throw error;
    }
  }
}
