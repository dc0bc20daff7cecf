import { readSync } from 'node:fs';
import { RandomAccessReader } from 'yauzl';

const windowBytes = 1024 * 1024;

/**
 * Reads an archive through a buffer of 1 MiB, so that a central directory with many entries takes
 * few reads. Synchronous: for the worker thread only.
 */
export class ZipWindow extends RandomAccessReader {
  readonly size: number;
  readonly #fd: number;
  readonly #window = Buffer.allocUnsafeSlow(windowBytes);
  #start = 0;
  #filled = 0;

  constructor(fd: number, size: number) {
    super();
    this.#fd = fd;
    this.size = size;
  }

  /** Returns bytes at a position; fewer at the end of the archive. */
  bytes(position: number, length: number): Buffer {
    if (length > windowBytes) {
      const whole = Buffer.alloc(length);
      return whole.subarray(0, readSync(this.#fd, whole, 0, length, position));
    }
    if (position < this.#start || position + length > this.#start + this.#filled) {
      this.#start = position;
      this.#filled = readSync(this.#fd, this.#window, 0, windowBytes, position);
    }
    const at = position - this.#start;
    return this.#window.subarray(at, Math.min(at + length, this.#filled));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    try {
      const found =
        Number.isSafeInteger(position) && position >= 0 && position < this.size
          ? this.bytes(position, length)
          : Buffer.alloc(0);
      if (found.length < length) return callback(new Error('it ends too early'));
      found.copy(buffer, offset);
      return callback(null);
    } catch (error) {
      return callback(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  override _readStreamForRange(): never {
    throw new Error('entries are not read through this window');
  }
}

/**
 * Returns the name of the entry whose directory record starts at a position, for error messages.
 */
export function entryNameAt(window: ZipWindow, position: number): string {
  const header = Buffer.from(window.bytes(position, 46));
  if (header.length < 46 || header.readUInt32LE(0) !== 0x02014b50) return 'the entry at that place';
  return window.bytes(position + 46, header.readUInt16LE(28)).toString('utf8');
}
