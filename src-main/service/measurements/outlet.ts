import type { ServerResponse } from 'node:http';
import type { SendBuffers } from './buffer-pool.ts';

/** The client went away, or the connection was ended by us. */
export class Disconnected extends Error {}

export interface OutletNeeds {
  readonly response: ServerResponse;
  readonly buffers: SendBuffers;
  readonly bufferSize: number;
  /** Length of the body; ending short of it destroys the connection. */
  readonly length: number;
  /** Sends the head; called before the first byte. Until then a failure can still be answered with a problem. */
  readonly begin: () => void;
  /** Told of bytes that the socket has taken. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Sends a body through two buffers that are used in turn: one is filled while the other drains, and the next write waits for the callback of the one
 * before it. So a transfer holds two buffers whatever its length and however slow its client is. What fits into one buffer leaves with the head in one write.
 */
export class Outlet {
  readonly #needs: OutletNeeds;
  #buffer: Buffer;
  #spare: Buffer | null = null;
  #filled = 0;
  #handedOver = 0;
  #begun = false;
  #closed = false;
  #draining: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  constructor(needs: OutletNeeds) {
    this.#needs = needs;
    this.#buffer = needs.buffers.take(needs.bufferSize);
    this.#closed = needs.response.destroyed;
    needs.response.once('close', () => {
      this.#closed = true;
      this.#drained?.();
    });
  }

  /** Whether the head has left. */
  get begun(): boolean {
    return this.#begun;
  }

  /** The buffer to fill, from `filled` on. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  get filled(): number {
    return this.#filled;
  }

  get room(): number {
    return this.#buffer.length - this.#filled;
  }

  /** Whether everything that the body has is in the buffers or gone. */
  get complete(): boolean {
    return this.#handedOver + this.#filled === this.#needs.length;
  }

  /** Counts bytes that were put into the buffer. */
  add(bytes: number): void {
    this.#filled += bytes;
  }

  /** Puts bytes that are at hand into the body. */
  async put(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.room === 0) await this.flush();
      const count = bytes.copy(this.#buffer, this.#filled, at);
      this.#filled += count;
      at += count;
    }
  }

  /** Hands the filled buffer to the socket and turns to the other one, as soon as that has drained. */
  async flush(): Promise<void> {
    if (this.#draining) await this.#draining;
    this.#refuseWhenClosed();
    const full = this.#buffer;
    const bytes = this.#filled;
    this.#draining = this.#write(bytes === full.length ? full : full.subarray(0, bytes));
    this.#buffer = this.#spare ?? this.#needs.buffers.take(this.#needs.bufferSize);
    this.#spare = full;
    this.#filled = 0;
  }

  /** Sends what is left and ends the body; resolves when the socket has taken it. */
  async end(): Promise<void> {
    if (this.#draining) await this.#draining;
    await this.#finish(this.#filled === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#filled));
  }

  /** Sends a body that is kept in memory for everybody, without copying it. Nothing else goes through this outlet. */
  async endWith(body: Buffer): Promise<void> {
    this.#filled = body.length;
    await this.#finish(body);
  }

  /** Gives the buffers back; the outlet is not used after it. */
  release(): void {
    this.#needs.buffers.give(this.#buffer);
    if (this.#spare) this.#needs.buffers.give(this.#spare);
    this.#spare = null;
  }

  async #finish(bytes: Buffer): Promise<void> {
    const { response, length, onSent } = this.#needs;
    this.#refuseWhenClosed();
    if (!this.complete) {
      response.destroy();
      throw new Error(`a body of ${length} bytes would have ended after ${this.#handedOver + this.#filled}`);
    }
    this.#filled = 0;
    this.#start(bytes.length);
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      if (bytes.length === 0) response.end(resolve);
      else response.end(bytes, resolve);
    });
    if (!response.writableFinished) throw new Disconnected();
    onSent(bytes.length);
  }

  #write(bytes: Buffer): Promise<void> {
    this.#start(bytes.length);
    return new Promise((resolve) => {
      this.#drained = resolve;
      this.#needs.response.write(bytes, (error) => {
        if (error) this.#closed = true;
        else this.#needs.onSent(bytes.length);
        resolve();
      });
    });
  }

  #start(bytes: number): void {
    this.#handedOver += bytes;
    if (this.#begun) return;
    this.#begun = true;
    this.#needs.begin();
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new Disconnected();
  }
}
