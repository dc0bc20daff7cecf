import type { ResponseHead } from './parse-response-head.ts';
import type { ReadBlocks } from './read-blocks.ts';

/** Gets the bytes of a body in their order. They stay valid until the promise resolves; without a promise, for the call. */
export type BodyHandler = (bytes: Buffer) => Promise<void> | undefined;

/** Gets the head of an answer and says what takes the body; null when it does not understand the answer. What it throws ends the connection. */
export type HeadHandler = (head: ResponseHead) => BodyHandler | null;

/** Whoever waits for an exchange. */
export interface RequestCallbacks {
  /** Null: the answer is not understood. */
  onHead: (head: ResponseHead | null) => void;
  onEnd: () => void;
  onError: (error: unknown) => void;
}

// What has come is handed on at least so often.
const maxHoldMs = 1000;

/** A request on a direct line, and its answer as it comes. */
export class PipelinedRequest {
  readonly #onHead: HeadHandler | null;
  readonly #callbacks: RequestCallbacks;
  #head: ResponseHead | null = null;
  /** Bytes of the body that were not handed over yet. */
  #left = 0;
  #bodyHandler: BodyHandler | null = null;
  #delivering: Promise<void> | null = null;
  #heldSince = 0;

  /** @param begin null where the body is read later. */
  constructor(begin: HeadHandler | null, callbacks: RequestCallbacks) {
    [this.#onHead, this.#callbacks] = [begin, callbacks];
  }

  /** Whether its answer has begun. */
  get hasHead(): boolean {
    return this.#head !== null;
  }

  /** Whether the server keeps the connection after it. */
  get keepAlive(): boolean {
    return this.#head?.keepAlive === true;
  }

  /** Whether its answer waits for somebody who wants the body. */
  get isPaused(): boolean {
    return this.#head !== null && this.#bodyHandler === null;
  }

  /** The head has come; null is one that is not understood. @returns whether the body may follow. @throws the error of `begin` */
  begin(head: ResponseHead | null): boolean {
    if (head) {
      [this.#head, this.#left, this.#heldSince] = [head, head.length, performance.now()];
      if (this.#onHead) this.#bodyHandler = this.#onHead(head);
    }
    const isUnderstood = head !== null && (this.#onHead === null || this.#bodyHandler !== null);
    this.#callbacks.onHead(isUnderstood ? head : null);
    return isUnderstood;
  }

  /** Says what takes the body, and who waits for its end. */
  read(take: BodyHandler, callbacks: Pick<RequestCallbacks, 'onEnd' | 'onError'>): void {
    [this.#bodyHandler, this.#heldSince] = [take, performance.now()];
    Object.assign(this.#callbacks, callbacks);
  }

  /** Whether all that is still to come of the body has come. */
  isWhole(blocks: ReadBlocks): boolean {
    return this.#bodyHandler !== null && blocks.waiting >= this.#left;
  }

  /** Whether what has come is to be handed over now, and not together with more. */
  isDue(blocks: ReadBlocks): boolean {
    return (
      this.#bodyHandler !== null &&
      (!blocks.hasSpace || blocks.isFull || performance.now() - this.#heldSince >= maxHoldMs)
    );
  }

  /**
   * Hands over what has come of the body.
   *
   * @param onRoom hears when bytes are not needed any more.
   * @param onFailure hears what taking them fails with.
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

  /** All of it has been handed over. */
  end(): void {
    const { onEnd, onError } = this.#callbacks;
    if (this.#delivering) this.#delivering.then(onEnd, onError);
    else onEnd();
  }

  /** It ends with an error, or with that of taking what had come. */
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
