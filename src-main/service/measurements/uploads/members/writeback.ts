import { fdatasync } from 'node:fs';

const everyBytes = 32 * 1024 * 1024;

/** Brings the bytes of a large file to the disk while others come, so that its end need not wait for all. */
export class Writeback {
  #begunAt = 0;
  #running: Promise<void> | null = null;
  #failure: Error | null = null;

  /** @param position Number of bytes that were written to the file. */
  follow(fd: number, position: number): void {
    if (position < this.#begunAt) this.#begunAt = 0;
    if (this.#running !== null || position - this.#begunAt < everyBytes) return;
    this.#begunAt = position;
    this.#running = new Promise((resolve) => {
      fdatasync(fd, (failure) => {
        this.#failure ??= failure;
        this.#running = null;
        resolve();
      });
    });
  }

  /**
   * Waits for what was begun, before the file is closed.
   *
   * @throws the error of the disk, which tells it once: no later sync would find it.
   */
  async end(): Promise<void> {
    await this.#running;
    if (this.#failure !== null) throw this.#failure;
  }
}
