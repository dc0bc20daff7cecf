import { closeSync, fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import type { FileDigest } from './check-existing.ts';
import type { FetchContext } from './fetch-context.ts';
import { TargetError, targetError } from './target-folder-error.ts';
import type { JournalChange, JournalFile } from './types.ts';

/** A file whose bytes are all written and proven. */
export interface Proven {
  readonly file: JournalFile;
  readonly fd: number;
  readonly digest: FileDigest;
  /** What of it is counted as on disk already. */
  readonly counted: number;
}

const toDisk = promisify(fdatasync);
const mostAtOnce = 256;
const mostWaiting = 512;

/**
 * Gives proven files their names: bytes to the disk, then the names, then the folders, then the journal. Files that are proven while the disk is busy
 * go together, because it takes as long for many as for one.
 */
export class FileSettler {
  readonly #context: FetchContext;
  #waiting: Proven[] = [];
  #skipped: JournalChange[] = [];
  #settling: Promise<void> | null = null;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  /** Resolves when more may come. */
  async add(proven: Proven): Promise<void> {
    this.#waiting.push(proven);
    this.#begin();
    if (this.#waiting.length >= mostWaiting) await this.#settling;
  }

  /** A file that was there already and is right. */
  async skip(file: JournalFile, digest: FileDigest, counted = 0): Promise<void> {
    this.#skipped.push({ kind: 'done', index: file.index, skipped: true, ...digest });
    this.#count(digest.length, counted);
    this.#begin();
    if (this.#skipped.length >= mostWaiting) await this.#settling;
  }

  /** Resolves when everything is in the journal. */
  async flush(): Promise<void> {
    while (this.#settling) await this.#settling;
  }

  #begin(): void {
    this.#settling ??= this.#settle().catch((error: unknown) => this.#context.fail(error));
  }

  async #settle(): Promise<void> {
    try {
      // What comes in this turn of the event loop belongs to the first batch.
      await new Promise(setImmediate);
      while (this.#waiting.length + this.#skipped.length > 0) {
        const [batch, skipped] = [this.#waiting.splice(0, mostAtOnce), this.#skipped.splice(0, mostAtOnce)];
        await this.#settleBatch(batch, skipped);
      }
    } finally {
      for (const { fd } of this.#waiting.splice(0)) closeSync(fd);
      this.#settling = null;
    }
  }

  async #settleBatch(batch: readonly Proven[], changes: JournalChange[]): Promise<void> {
    const { target, journal, plan } = this.#context;
    const written = await Promise.allSettled(batch.map(async ({ fd }) => toDisk(fd)));
    for (const { fd } of batch) closeSync(fd);
    const named: Proven[] = [];
    for (const [at, one] of batch.entries()) {
      const { file, digest } = one;
      try {
        const result = written[at];
        if (result?.status === 'rejected') throw result.reason;
        target.finish(file.path);
        named.push(one);
        changes.push({ kind: 'done', index: file.index, skipped: false, length: digest.length, crc32: digest.crc32, sha256: digest.sha256 });
      } catch (error) {
        const failure = targetError(error, file.path);
        if (!(failure instanceof TargetError && failure.onlyThisFile)) throw failure;
        changes.push({ kind: 'failed', index: file.index, reason: failure.reason, message: failure.message });
      }
    }
    await target.sync();
    await journal.record(plan.id, changes);
    for (const { digest, counted } of named) this.#count(digest.length, counted);
  }

  #count(length: number, counted: number): void {
    const { counters } = this.#context;
    counters.bytesDone += length - counted;
    counters.bytesVerified += length;
    counters.filesDone += 1;
  }
}
