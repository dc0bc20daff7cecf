import { createHash } from 'node:crypto';
import { StartError } from '../../common/start-error.ts';
import type { Row, Value } from './rows.ts';

/** A table as it was read: equal for equal rows in the same order, on both engines. */
export interface TableDigest {
  readonly rows: number;
  /** Of the values. */
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

const headBytes = 9;
const tags = { null: 0, integer: 1, text: 2, bytes: 3 };

/**
 * Digests rows: each value is a byte for its kind, then nothing (NULL), 64 bits of two's complement
 * (integer), or 32 bits of length and the bytes (text as UTF-8, bytes), all numbers big-endian.
 */
export class RowDigest {
  readonly #hash = createHash('sha256');
  #buffer = Buffer.allocUnsafeSlow(64 * 1024);
  #used = 0;
  #rows = 0;
  #bytes = 0;

  /** Of the values so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws StartError when an integer is not exact. */
  add(row: Row): void {
    for (const value of row) this.#add(value);
    this.#rows += 1;
  }

  end(): TableDigest {
    this.#flush();
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #add(value: Value): void {
    if (value === null) this.#head(tags.null, 0);
    else if (typeof value === 'number') this.#integer(value);
    else {
      // Three bytes for a unit of UTF-16 are always enough.
      const most = typeof value === 'string' ? value.length * 3 : value.length;
      this.#reserve(headBytes + most);
      const at = this.#used;
      const length = typeof value === 'string' ? this.#buffer.write(value, at + 5) : value.copy(this.#buffer, at + 5);
      this.#buffer[at] = typeof value === 'string' ? tags.text : tags.bytes;
      this.#buffer.writeUInt32BE(length, at + 1);
      this.#used = at + 5 + length;
      this.#bytes += length;
    }
  }

  #integer(value: number): void {
    if (!Number.isSafeInteger(value))
      throw new StartError('data-unusable', `The number ${value} is too large to move.`);
    this.#head(tags.integer, 8);
    this.#buffer.writeInt32BE(Math.floor(value / 2 ** 32), this.#used - 8);
    this.#buffer.writeUInt32BE(value >>> 0, this.#used - 4);
    this.#bytes += 8;
  }

  #head(tag: number, bytes: number): void {
    this.#reserve(headBytes);
    this.#buffer[this.#used] = tag;
    this.#used += 1 + bytes;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#buffer.length) return;
    this.#flush();
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(bytes);
  }

  #flush(): void {
    this.#hash.update(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }
}
