import { closeSync, fdatasync } from 'node:fs';

const everyBytes = 32 * 1024 * 1024;

/** Shared by all files, because each sync holds one of the few threads that read and write files. */
export interface WritebackSlot {
  isTaken: boolean;
}

/** Brings the bytes of a large file to the disk while others come, so that its end need not wait for all. */
export class Writeback {
  readonly #slot: WritebackSlot;
  #begunAt = 0;
  #running: Promise<void> | null = null;
  #failure: Error | null = null;

  constructor(slot: WritebackSlot) {
    this.#slot = slot;
  }

  /** @param position Number of bytes that were written to the file. */
  follow(fd: number, position: number): void {
    if (position < this.#begunAt) this.#begunAt = 0;
    if (this.#slot.isTaken || position - this.#begunAt < everyBytes) return;
    this.#begunAt = position;
    this.#slot.isTaken = true;
    this.#running = new Promise((resolve) => {
      fdatasync(fd, (failure) => {
        this.#failure ??= failure;
        this.#running = null;
        this.#slot.isTaken = false;
        resolve();
      });
    });
  }

  /**
   * Waits for what was begun.
   *
   * @throws the error of the disk, which tells it once: no later sync would find it.
   */
  async end(): Promise<void> {
    await this.#running;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Closes a file that is given up, not before its sync has ended: another file may get its number. */
  close(fd: number): void {
    if (this.#running === null) closeSync(fd);
    else void this.#running.then(() => closeSync(fd));
  }
}
