import type { Share } from './share.ts';
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesIn, addPiece } from '../pieces.ts';
import type { FetchContext } from './fetch-context.ts';
import { targetError } from '../../../files/target-folder-error.ts';
import type { JournalChange, JournalFile, Piece } from '../types.ts';

const syncToDisk = promisify(fdatasync);
// Smaller amounts wait briefly, to be committed together.
const minCommitBytes = 2 * 1024 * 1024;
const commitDelayMs = 500;

/**
 * Moves written bytes of one file to disk and then into the journal, in a single loop. Bytes
 * written meanwhile form the next step, so a slow disk gets fewer and larger steps.
 */
export class Checkpoints {
  readonly #context: FetchContext;
  readonly #file: JournalFile;
  readonly #fd: number;
  #written: Piece[] = [];
  #shares: { readonly share: Share; readonly bytes: number }[] = [];
  #before: JournalChange[] = [];
  #loop: Promise<void> | null = null;
  #wakeUp: PromiseWithResolvers<void> | null = null;
  #isFlushing = false;
  #journalled = 0;

  constructor(context: FetchContext, file: JournalFile, fd: number, journalled: number) {
    this.#context = context;
    this.#file = file;
    this.#fd = fd;
    this.#journalled = journalled;
  }

  /** Bytes of the file in the journal. */
  get journalled(): number {
    return this.#journalled;
  }

  /** Adds a change that is committed together with the next pieces. */
  with(change: JournalChange): void {
    this.#before.push(change);
  }

  add(piece: Piece, share: Share): void {
    addPiece(this.#written, piece);
    this.#shares.push({ share, bytes: piece[1] - piece[0] });
    this.#loop ??= this.#run().catch((error: unknown) => this.#context.fail(error));
    if (share.isFull || bytesIn(this.#written) >= minCommitBytes) this.#wake();
  }

  /** Resolves when everything is in the journal, or the run has failed. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    this.#wake();
    await this.#loop;
    this.#isFlushing = false;
  }

  /** Resets the byte count after bytes of the file were discarded. */
  forget(journalled: number): void {
    this.#journalled = journalled;
  }

  #wake(): void {
    this.#wakeUp?.resolve();
  }

  async #run(): Promise<void> {
    try {
      while (this.#written.length > 0) {
        if (!this.#isFlushing && bytesIn(this.#written) < minCommitBytes) {
          this.#wakeUp = Promise.withResolvers();
          await Promise.race([this.#wakeUp.promise, sleep(commitDelayMs, undefined, { ref: false })]);
          this.#wakeUp = null;
        }
        await this.#step();
      }
    } finally {
      this.#loop = null;
      for (const { share, bytes } of this.#shares.splice(0)) share.give(bytes);
    }
  }

  async #step(): Promise<void> {
    const [pieces, shares, before] = [this.#written, this.#shares, this.#before];
    [this.#written, this.#shares, this.#before] = [[], [], []];
    try {
      await syncToDisk(this.#fd).catch((error: unknown) => {
        throw targetError(error, this.#file.path);
      });
      await this.#context.journal.record(this.#context.plan.id, [
        ...before,
        { kind: 'pieces', index: this.#file.index, pieces },
      ]);
      const bytes = bytesIn(pieces);
      this.#journalled += bytes;
      this.#context.counters.bytesDone += bytes;
    } finally {
      for (const { share, bytes } of shares) share.give(bytes);
    }
  }
}
