import { hkdfSync } from 'node:crypto';
import { openWith, sealWith } from '../secrets/seal-with.ts';
import { secretDigest } from '../secrets/secret-digest.ts';
import type { ShortLivedLimits, ShortLivedStore } from './short-lived-store.ts';

export interface ShortLivedKind extends ShortLivedLimits {
  /** A value whose shape changes gets another name, because two versions may run side by side. */
  readonly kind: string;
}

/** Above what the limits of requests let any kind need: a state of 4096 bytes, escaped as JSON. */
const maxValueBytes = 64 * 1024;

/**
 * Values between two steps of a flow, which any replica may answer, until they expire or are taken.
 * The table has a digest of the secret by which the client finds a value, and the value sealed with
 * a key made of that secret: what a client sends for its own eyes, such as the state of an
 * authorization request, lies nowhere in clear. A user beyond the limit loses the own value that
 * ends first.
 */
export class ShortLived<Value extends object> {
  readonly #store: ShortLivedStore;
  readonly #kind: string;
  readonly #limits: ShortLivedLimits;

  constructor(store: ShortLivedStore, { kind, maxEntries, maxPerOwner }: ShortLivedKind) {
    this.#store = store;
    this.#kind = kind;
    this.#limits = { maxEntries, maxPerOwner };
  }

  /**
   * @param secret of high entropy; a value with the same one is replaced.
   * @param ownerId the user counted against `maxPerOwner`.
   * @param value plain JSON.
   * @param until expiry in milliseconds since 1970.
   * @throws RangeError for a value of more than 64 KiB.
   */
  async put(secret: string, ownerId: number, value: Value, until: number): Promise<void> {
    const kind = this.#kind;
    const plain = Buffer.from(JSON.stringify(value));
    if (plain.length > maxValueBytes) throw new RangeError(`a value of ${kind} is longer than ${maxValueBytes} bytes`);
    const sealed = sealWith(this.#sealingKey(secret), kind, plain);
    await this.#store.put({ kind, key: secretDigest(secret), owner_id: ownerId, value: sealed, until }, this.#limits);
  }

  /** @returns the value without removing it; null when it is missing or expired. */
  async peek(secret: string): Promise<Value | null> {
    return this.#opened(secret, await this.#store.peek(this.#kind, secretDigest(secret), Date.now()));
  }

  /** Removes the value. @returns it; null when it is missing, expired, or taken by another request. */
  async take(secret: string): Promise<Value | null> {
    return this.#opened(secret, await this.#store.take(this.#kind, secretDigest(secret), Date.now()));
  }

  #opened(secret: string, sealed: Buffer | null): Value | null {
    return sealed && (JSON.parse(openWith(this.#sealingKey(secret), this.#kind, sealed).toString()) as Value);
  }

  #sealingKey(secret: string): Buffer {
    return Buffer.from(hkdfSync('sha256', secret, '', 'benchport short-lived', 32));
  }
}
