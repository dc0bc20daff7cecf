import type { BodyHandler } from './http-response.ts';
import type { ResponseHead } from './parse-response-head.ts';
import type { ReadBlocks } from './read-blocks.ts';

/**
 * Receives the head of a response and returns the body handler; null if it cannot handle the
 * response. An error it throws closes the connection.
 */
export type HeadHandler = (head: ResponseHead) => BodyHandler | null;

/** The callbacks of one request. */
export interface RequestCallbacks {
  /** Null: the response cannot be parsed. */
  onHead: (head: ResponseHead | null) => void;
  onEnd: () => void;
  onError: (error: unknown) => void;
}

// Received bytes are delivered at least this often.
const maxHoldMs = 1000;

/** A request on a pipelined connection, and the state of its response. */
export class PipelinedRequest {
  readonly #onHead: HeadHandler | null;
  readonly #callbacks: RequestCallbacks;
  #head: ResponseHead | null = null;
  /** Bytes of the body not yet delivered. */
  #left = 0;
  #bodyHandler: BodyHandler | null = null;
  #delivering: Promise<void> | null = null;
  #heldSince = 0;

  /** @param begin null if the body is read later. */
  constructor(begin: HeadHandler | null, callbacks: RequestCallbacks) {
    [this.#onHead, this.#callbacks] = [begin, callbacks];
  }

  get hasHead(): boolean {
    return this.#head !== null;
  }

  /** Whether the server keeps the connection open after this response. */
  get keepAlive(): boolean {
    return this.#head?.keepAlive === true;
  }

  /** Whether the response waits for a body handler. */
  get isPaused(): boolean {
    return this.#head !== null && this.#bodyHandler === null;
  }

  /**
   * Takes the response head; null if it could not be parsed. @returns whether a body may follow.
   * @throws the error of `begin`
   */
  begin(head: ResponseHead | null): boolean {
    if (head) {
      [this.#head, this.#left, this.#heldSince] = [head, head.length, performance.now()];
      if (this.#onHead) this.#bodyHandler = this.#onHead(head);
    }
    const isUnderstood = head !== null && (this.#onHead === null || this.#bodyHandler !== null);
    this.#callbacks.onHead(isUnderstood ? head : null);
    return isUnderstood;
  }

  /** Sets the body handler, and the callbacks for the end of the body. */
  read(take: BodyHandler, callbacks: Pick<RequestCallbacks, 'onEnd' | 'onError'>): void {
    [this.#bodyHandler, this.#heldSince] = [take, performance.now()];
    Object.assign(this.#callbacks, callbacks);
  }

  /** Whether the rest of the body has been received. */
  isWhole(blocks: ReadBlocks): boolean {
    return this.#bodyHandler !== null && blocks.waiting >= this.#left;
  }

  /** Whether to deliver now instead of waiting for more bytes. */
  isDue(blocks: ReadBlocks): boolean {
    return (
      this.#bodyHandler !== null &&
      (!blocks.hasSpace || blocks.isFull || performance.now() - this.#heldSince >= maxHoldMs)
    );
  }

  /**
   * Delivers the received bytes of the body.
   *
   * @param onRoom is called when bytes are released.
   * @param onFailure is called with the error of the body handler.
   */
  deliver(blocks: ReadBlocks, onRoom: () => void, onFailure: (error: unknown) => void): void {
    this.#heldSince = performance.now();
    while (this.#bodyHandler && this.#left > 0) {
      const part = blocks.take(this.#left);
      if (!part) return;
      this.#left -= part.bytes.length;
      try {
        const taken = this.#bodyHandler(part.bytes);
        if (taken) this.#wait(taken, part.release, onRoom, onFailure);
        else part.release();
      } catch (error) {
        this.#bodyHandler = null;
        onFailure(error);
      }
    }
  }

  /** Completes the request once all deliveries have finished. */
  end(): void {
    const { onEnd, onError } = this.#callbacks;
    if (this.#delivering) this.#delivering.then(onEnd, onError);
    else onEnd();
  }

  /** Fails the request, with the error of a pending delivery if there is one. */
  fail(reason: unknown): void {
    const { onError } = this.#callbacks;
    if (this.#delivering) this.#delivering.then(() => onError(reason), onError);
    else onError(reason);
  }

  #wait(taken: Promise<void>, release: () => void, onRoom: () => void, onFailure: (error: unknown) => void): void {
    const back = (): void => {
      release();
      onRoom();
    };
    taken.then(back, back);
    this.#delivering = Promise.all([this.#delivering, taken]).then(() => {});
    this.#delivering.catch(onFailure);
  }
}
