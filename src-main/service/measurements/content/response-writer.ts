import type { ServerResponse } from 'node:http';
import { idleSocket, canBypassNode } from './idle-socket.ts';
import type { SendBuffers } from '../transfers/buffer-pool.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';

/** The client disconnected, or the server closed the connection. */
export class Disconnected extends Error {}

export interface ResponseWriterDeps {
  readonly response: ServerResponse;
  readonly buffers: SendBuffers;
  readonly bufferSize: number;
  readonly kernel: KernelCalls | null;
  /** Length of the body in bytes; a body that ends short of it destroys the connection. */
  readonly length: number;
  /**
   * Sends the head; called before the first byte. Until then a failure can still be answered with
   * an error.
   */
  readonly sendHead: () => void;
  /** Called with the number of bytes that the socket accepted. */
  readonly onSent: (bytes: number) => void;
  /** Called before bytes are sent; may destroy the response. */
  readonly confirm?: () => void;
}

/**
 * Yield to the event loop after this many bytes, so that one fast client cannot starve the others.
 */
const bytesPerTurn = 256 * 1024;
/** Bytes of an ordinary write that waits for a full socket. */
const drainBytes = 16 * 1024;

/**
 * Sends a body through two buffers in turn: one is filled while the other drains, and each write
 * waits for the callback of the previous one. A transfer therefore holds at most two buffers,
 * whatever its length and however slow its client. A body that fits into one buffer is sent
 * together with the head in one write.
 *
 * Where native calls are available, an idle socket is written to without Node, whose overhead per
 * write equals that of copying the bytes. Bytes that the socket does not accept are written through
 * Node, whose callback tells when it has drained. One buffer is then nearly always enough, and it
 * stays in the CPU cache.
 */
export class ResponseWriter {
  readonly #deps: ResponseWriterDeps;
  readonly #kernel: KernelCalls | null;
  #buffer: Buffer | null = null;
  #spare: Buffer | null = null;
  #filled = 0;
  #bytesWritten = 0;
  #headSent = false;
  #closed = false;
  #draining: Promise<void> | null = null;
  #drained: (() => void) | null = null;
  #sentInTurn = 0;

  constructor(deps: ResponseWriterDeps) {
    this.#deps = deps;
    this.#kernel = deps.kernel && canBypassNode(deps.response) ? deps.kernel : null;
    this.#closed = deps.response.destroyed;
    deps.response.once('close', () => {
      this.#closed = true;
      this.#drained?.();
    });
  }

  /** Whether `sendFile` can be used. */
  get canSendFile(): boolean {
    return this.#kernel !== null;
  }

  /** Whether the head was sent. */
  get headSent(): boolean {
    return this.#headSent;
  }

  /** The buffer to fill, starting at `filled`. */
  get buffer(): Buffer {
    this.#buffer ??= this.#deps.buffers.take(this.#deps.bufferSize);
    return this.#buffer;
  }

  /** Length of a buffer in bytes. */
  get size(): number {
    return this.#deps.bufferSize;
  }

  get filled(): number {
    return this.#filled;
  }

  get freeBytes(): number {
    return this.size - this.#filled;
  }

  /** Whether all bytes of the body were sent or buffered. */
  get complete(): boolean {
    return this.#bytesWritten + this.#filled === this.#deps.length;
  }

  /** Counts bytes that were written into the buffer. */
  add(bytes: number): void {
    this.#filled += bytes;
  }

  /** Copies bytes into the body. */
  async put(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.freeBytes === 0) await this.flush();
      const count = bytes.copy(this.buffer, this.#filled, at);
      this.#filled += count;
      at += count;
    }
  }

  /**
   * Sends bytes of a shared buffer: to an idle socket from where they are, otherwise copied. The
   * buffer may be reused when this has resolved.
   */
  async putShared(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (!this.#kernel) return this.put(bytes.subarray(at));
      const sent = this.#sendIdle(this.#kernel, bytes, at);
      at += sent;
      if (sent > 0 && at < bytes.length) await this.yieldToOthers();
      if (sent > 0) continue;
      // The callback of an ordinary write tells when a full socket has drained.
      const part = bytes.subarray(at, at + drainBytes);
      at += part.length;
      await this.put(part);
      if (at < bytes.length) await this.drain();
    }
  }

  /**
   * Reads bytes that are in the page cache into the buffer without blocking; `add` must count them.
   *
   * @returns their number, 0 when they are not cached.
   */
  readCached(fd: number, count: number, position: number): number {
    return this.#kernel?.readCached(fd, this.buffer, this.#filled, count, position) ?? 0;
  }

  /** Gives the filled buffer to the socket and switches to the other one once that has drained. */
  async flush(): Promise<void> {
    await this.#awaitDrain();
    const full = this.buffer;
    const bytes = this.#filled;
    this.#filled = 0;
    const socket = this.#kernel && this.#headSent ? idleSocket(this.#deps.response) : -1;
    const sent = this.#kernel && socket >= 0 ? this.#kernel.send(socket, full, 0, bytes, false) : 0;
    this.#count(sent);
    if (sent === bytes) {
      // Returned at once, so that the next transfer takes this buffer while it is still in the CPU
      // cache.
      this.#deps.buffers.give(full);
      this.#buffer = null;
      return this.yieldToOthers();
    }
    this.#draining = this.#write(sent === 0 && bytes === full.length ? full : full.subarray(sent, bytes));
    this.#buffer = this.#spare;
    this.#spare = full;
  }

  /** Waits until all buffered bytes have drained. */
  async drain(): Promise<void> {
    if (this.#filled > 0) await this.flush();
    await this.#awaitDrain();
  }

  /**
   * Sends bytes of a file by `sendfile`, as many as the socket accepts; call `drain` first.
   *
   * @returns the number of bytes; 0 when the socket is full, so that the callback of an ordinary
   * write is needed; null when the bytes have to be read.
   */
  sendFile(fd: number, position: number, count: number): number | null {
    const kernel = this.#kernel;
    this.#deps.confirm?.();
    const socket = idleSocket(this.#deps.response);
    // When the last byte is in the page cache, so are those read ahead or fetched before it;
    // otherwise `sendfile` would block on the disk.
    if (!kernel || socket < 0 || kernel.readCached(fd, this.buffer, 0, 1, position + count - 1) === 0) return null;
    const sent = kernel.sendFile(socket, fd, position, count);
    this.#count(sent);
    return sent;
  }

  /** Yields to the event loop once `bytesPerTurn` were sent. */
  async yieldToOthers(): Promise<void> {
    if (this.#sentInTurn < bytesPerTurn) return;
    this.#sentInTurn = 0;
    await new Promise(setImmediate);
  }

  /** Sends the remaining bytes and ends the body; resolves when the socket has accepted them. */
  async end(): Promise<void> {
    await this.#awaitDrain();
    await this.#finish(this.#filled === this.size ? this.buffer : this.buffer.subarray(0, this.#filled));
  }

  /**
   * Sends a body that is shared in memory without copying it. Nothing else may be written by this
   * writer.
   */
  async endWithBuffer(body: Buffer): Promise<void> {
    this.#filled = body.length;
    await this.#finish(body);
  }

  /** Returns the buffers to the pool; the writer must not be used afterwards. */
  release(): void {
    for (const buffer of [this.#buffer, this.#spare]) if (buffer) this.#deps.buffers.give(buffer);
    this.#buffer = null;
    this.#spare = null;
  }

  async #finish(bytes: Buffer): Promise<void> {
    const { response, length, onSent } = this.#deps;
    this.#refuseWhenClosed();
    if (!this.complete) {
      response.destroy();
      throw new Error(`a body of ${length} bytes would have ended after ${this.#bytesWritten + this.#filled}`);
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

  /** Waits until the previous write has drained. */
  async #awaitDrain(): Promise<void> {
    if (this.#draining) await this.#draining;
    this.#draining = null;
    this.#refuseWhenClosed();
  }

  /** @returns how many bytes the socket took; 0 while others wait before them. */
  #sendIdle(kernel: KernelCalls, bytes: Buffer, from: number): number {
    if (!this.#headSent || this.#filled > 0 || this.#draining) return 0;
    this.#refuseWhenClosed();
    const socket = idleSocket(this.#deps.response);
    const to = Math.min(bytes.length, from + bytesPerTurn);
    const sent = socket < 0 ? 0 : kernel.send(socket, bytes, from, to, false);
    this.#count(sent);
    return sent;
  }

  #count(bytes: number): void {
    this.#bytesWritten += bytes;
    this.#sentInTurn += bytes;
    this.#deps.onSent(bytes);
  }

  #write(bytes: Buffer): Promise<void> {
    this.#start(bytes.length);
    return new Promise((resolve) => {
      this.#drained = resolve;
      this.#deps.response.write(bytes, (error) => {
        if (error) this.#closed = true;
        else this.#deps.onSent(bytes.length);
        resolve();
      });
    });
  }

  #start(bytes: number): void {
    this.#bytesWritten += bytes;
    if (this.#headSent) return;
    this.#headSent = true;
    this.#deps.sendHead();
  }

  #refuseWhenClosed(): void {
    this.#deps.confirm?.();
    if (this.#closed || this.#deps.response.destroyed) throw new Disconnected();
  }
}
