import { hash } from 'node:crypto';
import type { BodyPart } from '../../store/upload-parts-store.ts';
import { wrongBytes } from './unpack-messages.ts';

/** Verified parts that are kept: reads in order are of the last two or three of 8 MiB. */
const keptBytes = 24 * 1024 * 1024;

/** Fills shared memory with the bytes of a part. */
export type ReadPart = (index: number, from: number, into: Buffer) => Promise<void>;

/** The object storage has other bytes than it was sent. */
export class WrongBytesError extends Error {
  readonly code = wrongBytes;

  constructor() {
    super('the object storage has other bytes than it was sent');
  }
}

/** The bytes of an upload that lies in the object storage in parts. */
export class BodyBytes {
  readonly size: number;
  readonly #parts: readonly BodyPart[];
  readonly #read: ReadPart;
  readonly #kept = new Map<number, Promise<Buffer>>();
  #keptBytes = 0;

  constructor(parts: readonly BodyPart[], read: ReadPart) {
    this.#parts = parts;
    this.#read = read;
    this.size = parts.at(-1)?.position ?? 0;
  }

  /** Bytes of parts that are read whole and compared with their SHA-256. @throws WrongBytesError */
  async verified(start: number, end: number): Promise<Buffer> {
    return this.#collect(start, end, async (index, from, into) => {
      (await this.#part(index)).copy(into, 0, from, from + into.length);
    });
  }

  /** Bytes as the storage has them, for a reader that knows their checksums. */
  async unverified(start: number, end: number): Promise<Buffer> {
    return this.#collect(start, end, this.#read);
  }

  async #collect(start: number, end: number, read: ReadPart): Promise<Buffer> {
    const bytes = sharedBuffer(Math.max(0, end - start));
    let index = this.#partAt(start);
    for (let at = start; at < end; index += 1) {
      const stop = Math.min(end, this.#end(index));
      await read(index, at - this.#begin(index), bytes.subarray(at - start, stop - start));
      at = stop;
    }
    return bytes;
  }

  async #part(index: number): Promise<Buffer> {
    const kept = this.#kept.get(index);
    if (kept !== undefined) return kept;
    const reading = this.#readWhole(index);
    this.#kept.set(index, reading);
    this.#keptBytes += this.#length(index);
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= keptBytes || oldest === index) break;
      this.#drop(oldest);
    }
    reading.catch(() => this.#drop(index));
    return reading;
  }

  async #readWhole(index: number): Promise<Buffer> {
    const bytes = sharedBuffer(this.#length(index));
    await this.#read(index, 0, bytes);
    if (hash('sha256', bytes) !== this.#parts[index]?.etag) throw new WrongBytesError();
    return bytes;
  }

  #drop(index: number): void {
    if (this.#kept.delete(index)) this.#keptBytes -= this.#length(index);
  }

  /** Index of the part with this byte. */
  #partAt(position: number): number {
    let low = 0;
    let high = this.#parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#end(middle) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #begin(index: number): number {
    return this.#parts[index - 1]?.position ?? 0;
  }

  #end(index: number): number {
    const part = this.#parts[index];
    if (part === undefined) throw new RangeError('the upload ends before');
    return part.position;
  }

  #length(index: number): number {
    return this.#end(index) - this.#begin(index);
  }
}

function sharedBuffer(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}
