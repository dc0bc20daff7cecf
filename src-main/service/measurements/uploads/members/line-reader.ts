import { closeSync, openSync, readSync } from 'node:fs';

const bufferBytes = 64 * 1024;

/** Reads the lines of a file with synchronous calls; for worker threads. */
export class LineReader {
  readonly #fd: number;
  #buffer = Buffer.allocUnsafe(bufferBytes);
  #start = 0;
  #end = 0;
  #position: number;

  /** @param position Where a line begins. */
  constructor(file: string, position = 0) {
    this.#fd = openSync(file, 'r');
    this.#position = position;
  }

  /** The position after the line that was read last. */
  get position(): number {
    return this.#position - (this.#end - this.#start);
  }

  /** The next line without its end; null after the last, and for one that was not written whole. */
  next(): string | null {
    for (let from = this.#start; ;) {
      const at = this.#buffer.subarray(0, this.#end).indexOf(10, from);
      if (at >= 0) {
        const line = this.#buffer.toString('utf8', this.#start, at);
        this.#start = at + 1;
        return line;
      }
      const waiting = this.#end - this.#start;
      if (!this.#fill()) return null;
      from = this.#start + waiting;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #fill(): boolean {
    this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    if (this.#end === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], this.#buffer.length * 2);
    const count = readSync(this.#fd, this.#buffer, this.#end, this.#buffer.length - this.#end, this.#position);
    this.#end += count;
    this.#position += count;
    return count > 0;
  }
}
