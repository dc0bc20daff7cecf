import { hash } from 'node:crypto';
import type { BodyPart } from '../../store/upload-parts-store.ts';
import type { BodyCopy } from './body-copy.ts';
import { wrongBytes } from './unpack-messages.ts';

/** Verified parts that are kept: reads in order are of the last two or three of 8 MiB. */
const keptBytes = 24 * 1024 * 1024;

const minSharedBytes = 1024 * 1024;

/** A part that is read whole, and those who copy out of it. */
interface KeptPart {
  readonly buffer: Buffer;
  readonly reading: Promise<void>;
  users: number;
}

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
  readonly #copy: BodyCopy;
  readonly #kept = new Map<number, KeptPart>();
  readonly #shared = new SharedBuffers();
  #keptBytes = 0;

  constructor(parts: readonly BodyPart[], copy: BodyCopy, read: ReadPart) {
    this.#parts = parts;
    this.#read = read;
    this.#copy = copy;
    this.size = parts.at(-1)?.position ?? 0;
  }

  /** Bytes of parts that are read whole and compared with their SHA-256. @throws WrongBytesError */
  async verified(start: number, end: number): Promise<Buffer> {
    return this.#collect(start, end, async (index, from, into) => this.#copyVerified(index, from, into));
  }

  /** Bytes as the storage or the copy has them, for a reader that knows their checksums. */
  async unverified(start: number, end: number): Promise<Buffer> {
    return this.#collect(start, end, async (index, from, into) => {
      if (this.#copy.has(index)) return this.#copy.read(into, this.#begin(index) + from);
      const buffer = this.#shared.take(into.length);
      await this.#read(index, from, buffer);
      buffer.copy(into);
      return this.#shared.give(buffer);
    });
  }

  async #collect(start: number, end: number, read: ReadPart): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, end - start));
    let index = this.#partAt(start);
    for (let at = start; at < end; index += 1) {
      const stop = Math.min(end, this.#end(index));
      await read(index, at - this.#begin(index), bytes.subarray(at - start, stop - start));
      at = stop;
    }
    return bytes;
  }

  async #copyVerified(index: number, from: number, into: Buffer): Promise<void> {
    const kept = this.#kept.get(index) ?? this.#begun(index);
    kept.users += 1;
    try {
      await kept.reading;
      kept.buffer.copy(into, 0, from, from + into.length);
    } finally {
      kept.users -= 1;
      this.#dropOldest();
    }
  }

  #begun(index: number): KeptPart {
    const buffer = this.#shared.take(this.#length(index));
    const kept = { buffer, reading: this.#readWhole(index, buffer), users: 0 };
    this.#kept.set(index, kept);
    this.#keptBytes += buffer.buffer.byteLength;
    // Its memory is not used again, because a late answer may still come into it.
    kept.reading.catch(() => this.#drop(index));
    return kept;
  }

  async #readWhole(index: number, into: Buffer): Promise<void> {
    await this.#read(index, 0, into);
    if (hash('sha256', into) !== this.#parts[index]?.etag) throw new WrongBytesError();
    this.#copy.keep(index, this.#begin(index), into);
  }

  #dropOldest(): void {
    for (const [index, { users, buffer }] of this.#kept) {
      if (this.#keptBytes <= keptBytes) return;
      if (users > 0) continue;
      this.#drop(index);
      this.#shared.give(buffer);
    }
  }

  #drop(index: number): void {
    const kept = this.#kept.get(index);
    this.#kept.delete(index);
    this.#keptBytes -= kept?.buffer.buffer.byteLength ?? 0;
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

/** Memory for what another thread fills, used again: its garbage counts for no collector. */
class SharedBuffers {
  readonly #free: ArrayBufferLike[] = [];

  take(length: number): Buffer {
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= length);
    const [memory = new SharedArrayBuffer(Math.max(length, minSharedBytes))] = at < 0 ? [] : this.#free.splice(at, 1);
    return Buffer.from(memory, 0, length);
  }

  give(buffer: Buffer): void {
    this.#free.push(buffer.buffer);
    this.#free.sort((a, b) => a.byteLength - b.byteLength);
  }
}
