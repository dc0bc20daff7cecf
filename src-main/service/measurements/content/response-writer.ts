import type { ServerResponse } from 'node:http';
import { idleSocket, canBypassNode } from './idle-socket.ts';
import type { SendBuffers } from '../transfers/buffer-pool.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';

/** The client went away, or the connection was ended by us. */
export class Disconnected extends Error {}

export interface ResponseWriterDeps {
  readonly response: ServerResponse;
  readonly buffers: SendBuffers;
  readonly bufferSize: number;
  readonly kernel: KernelCalls | null;
  /** Length of the body; ending short of it destroys the connection. */
  readonly length: number;
  /** Sends the head; called before the first byte. Until then a failure can still be answered with a problem. */
  readonly sendHead: () => void;
  /** Told of bytes that the socket has taken. */
  readonly onSent: (bytes: number) => void;
}

/** So many bytes that a socket took at once, and others have their turn: a client that keeps up would never let anybody else run. */
const bytesPerTurn = 256 * 1024;

/**
 * Sends a body through two buffers that are used in turn: one is filled while the other drains, and the next write waits for the callback of the one
 * before it. So a transfer holds two buffers whatever its length and however slow its client is. What fits into one buffer leaves with the head in one write.
 *
 * Where the system has calls for it, a socket that is idle gets its bytes past Node, which would spend as much on a write as the copying costs. What it does
 * not take goes through Node as ever, whose callback then says that there is room again; so nearly always one buffer is enough, and it stays in the
 * processor's cache.
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

  /** Whether the system can send files. */
  get canSendFile(): boolean {
    return this.#kernel !== null;
  }

  /** Whether the head has left. */
  get headSent(): boolean {
    return this.#headSent;
  }

  /** The buffer to fill, from `filled` on. */
  get buffer(): Buffer {
    this.#buffer ??= this.#deps.buffers.take(this.#deps.bufferSize);
    return this.#buffer;
  }

  /** Length of a buffer. */
  get size(): number {
    return this.#deps.bufferSize;
  }

  get filled(): number {
    return this.#filled;
  }

  get freeBytes(): number {
    return this.size - this.#filled;
  }

  /** Whether everything that the body has is in the buffers or gone. */
  get complete(): boolean {
    return this.#bytesWritten + this.#filled === this.#deps.length;
  }

  /** Counts bytes that were put into the buffer. */
  add(bytes: number): void {
    this.#filled += bytes;
  }

  /** Puts bytes that are at hand into the body. */
  async put(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.freeBytes === 0) await this.flush();
      const count = bytes.copy(this.buffer, this.#filled, at);
      this.#filled += count;
      at += count;
    }
  }

  /** Reads what is in memory already into the buffer, without waiting. @returns the number of bytes, which are not counted yet; 0 where it takes a wait. */
  readCached(fd: number, count: number, position: number): number {
    return this.#kernel?.readCached(fd, this.buffer, this.#filled, count, position) ?? 0;
  }

  /** Hands the filled buffer to the socket and turns to the other one, as soon as that has drained. */
  async flush(): Promise<void> {
    await this.#awaitDrain();
    const full = this.buffer;
    const bytes = this.#filled;
    this.#filled = 0;
    const socket = this.#kernel && this.#headSent ? idleSocket(this.#deps.response) : -1;
    const sent = this.#kernel && socket >= 0 ? this.#kernel.send(socket, full, 0, bytes, false) : 0;
    this.#count(sent);
    if (sent === bytes) {
      // The next transfer takes this very buffer: one that goes round stays in the processor's cache, one for each transfer does not.
      this.#deps.buffers.give(full);
      this.#buffer = null;
      return this.yieldToOthers();
    }
    this.#draining = this.#write(sent === 0 && bytes === full.length ? full : full.subarray(sent, bytes));
    this.#buffer = this.#spare;
    this.#spare = full;
  }

  /** Waits until everything gathered so far has drained. */
  async drain(): Promise<void> {
    if (this.#filled > 0) await this.flush();
    await this.#awaitDrain();
  }

  /**
   * Sends bytes of a file without looking at them, as many as the socket takes at once; after `drain`.
   *
   * @returns how many; 0 when the socket is full, and an ordinary write will tell when it is not; null when they have to be read.
   */
  sendFile(fd: number, position: number, count: number): number | null {
    const kernel = this.#kernel;
    const socket = idleSocket(this.#deps.response);
    // The end of a piece is in memory, so what lies before it is: it was read or fetched together with it. Else this would wait for the disk.
    if (!kernel || socket < 0 || kernel.readCached(fd, this.buffer, 0, 1, position + count - 1) === 0) return null;
    const sent = kernel.sendFile(socket, fd, position, count);
    this.#count(sent);
    return sent;
  }

  /** Lets others have their turn, now and then. */
  async yieldToOthers(): Promise<void> {
    if (this.#sentInTurn < bytesPerTurn) return;
    this.#sentInTurn = 0;
    await new Promise(setImmediate);
  }

  /** Sends what is left and ends the body; resolves when the socket has taken it. */
  async end(): Promise<void> {
    await this.#awaitDrain();
    await this.#finish(this.#filled === this.size ? this.buffer : this.buffer.subarray(0, this.#filled));
  }

  /** Sends a body that is kept in memory for everybody, without copying it. Nothing else goes through this outlet. */
  async endWithBuffer(body: Buffer): Promise<void> {
    this.#filled = body.length;
    await this.#finish(body);
  }

  /** Gives the buffers back; the outlet is not used after it. */
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

  /** Waits until the write before has drained. */
  async #awaitDrain(): Promise<void> {
    if (this.#draining) await this.#draining;
    this.#draining = null;
    this.#refuseWhenClosed();
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
    if (this.#closed) throw new Disconnected();
  }
}
