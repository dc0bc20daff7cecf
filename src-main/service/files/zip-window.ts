import { fstatSync, readSync } from 'node:fs';
import { callbackify } from 'node:util';
import { RandomAccessReader } from 'yauzl';

const windowBytes = 1024 * 1024;

/** The bytes of an archive, wherever they lie. */
export interface ZipSource {
  readonly size: number;
  /** Fills a buffer with bytes from a position on. @returns how many; fewer at the end. */
  read(into: Buffer, position: number): Promise<number>;
}

/** An open file, which is not closed. Reads are synchronous: for worker threads only. */
export function fileSource(fd: number): ZipSource {
  return { size: fstatSync(fd).size, read: async (into, position) => readSync(fd, into, 0, into.length, position) };
}

/**
 * Reads an archive through a buffer of 1 MiB, so that a central directory with many entries takes
 * few reads.
 */
export class ZipWindow extends RandomAccessReader {
  readonly size: number;
  readonly #source: ZipSource;
  readonly #window = Buffer.allocUnsafeSlow(windowBytes);
  #start = 0;
  #filled = 0;

  constructor(source: ZipSource) {
    super();
    this.#source = source;
    this.size = source.size;
  }

  /** Returns bytes at a position; fewer at the end of the archive. */
  async bytes(position: number, length: number): Promise<Buffer> {
    if (length > windowBytes) {
      const whole = Buffer.alloc(length);
      return whole.subarray(0, await this.#source.read(whole, position));
    }
    if (!this.#has(position, length)) {
      this.#filled = 0;
      this.#filled = await this.#source.read(this.#window, position);
      this.#start = position;
    }
    return this.#part(position, length);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    // The entries of a directory follow each other, and most need no read and no turn of their own.
    if (this.#has(position, length)) {
      this.#part(position, length).copy(buffer, offset);
      return callback(null);
    }
    return callbackify(async () => this.#copy(buffer, offset, length, position))((error) => callback(error));
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  override _readStreamForRange(): never {
    throw new Error('entries are not read through this window');
  }

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    const isWithin = Number.isSafeInteger(position) && position >= 0 && position < this.size;
    const found = isWithin ? await this.bytes(position, length) : Buffer.alloc(0);
    if (found.length < length) throw new Error('it ends too early');
    found.copy(buffer, offset);
  }

  #has(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#filled;
  }

  #part(position: number, length: number): Buffer {
    const at = position - this.#start;
    return this.#window.subarray(at, Math.min(at + length, this.#filled));
  }
}

/**
 * Returns the name of the entry whose directory record starts at a position, for error messages.
 */
export async function entryNameAt(window: ZipWindow, position: number): Promise<string> {
  const header = Buffer.from(await window.bytes(position, 46));
  if (header.length < 46 || header.readUInt32LE(0) !== 0x02014b50) return 'the entry at that place';
  return (await window.bytes(position + 46, header.readUInt16LE(28))).toString('utf8');
}
