import type { DirectHead } from './direct-head.ts';
import type { ReadBlocks } from './read-blocks.ts';

/** Gets the bytes of a body in their order. They stay valid until the promise resolves; without a promise, for the call. */
export type TakeBytes = (bytes: Buffer) => Promise<void> | undefined;

/** Gets the head of an answer and says what takes the body; null when it does not understand the answer. What it throws ends the connection. */
export type Begin = (head: DirectHead) => TakeBytes | null;

/** Whoever waits for an exchange. */
export interface Waiting {
  /** Null: the answer is not understood. */
  onHead: (head: DirectHead | null) => void;
  onEnd: () => void;
  onError: (error: unknown) => void;
}

// What has come is handed on at least so often.
const longestHeld = 1000;

/** A request on a direct line, and its answer as it comes. */
export class Exchange {
  readonly #begin: Begin | null;
  readonly #waiting: Waiting;
  #head: DirectHead | null = null;
  /** Bytes of the body that were not handed over yet. */
  #left = 0;
  #take: TakeBytes | null = null;
  #taking: Promise<void> | null = null;
  #heldSince = 0;

  /** @param begin null where the body is read later. */
  constructor(begin: Begin | null, waiting: Waiting) {
    [this.#begin, this.#waiting] = [begin, waiting];
  }

  /** Whether its answer has begun. */
  get hasHead(): boolean {
    return this.#head !== null;
  }

  /** Whether the server keeps the connection after it. */
  get keeps(): boolean {
    return this.#head?.keeps === true;
  }

  /** Whether its answer waits for somebody who wants the body. */
  get isHeld(): boolean {
    return this.#head !== null && this.#take === null;
  }

  /** The head has come; null is one that is not understood. @returns whether the body may follow. @throws the error of `begin` */
  begin(head: DirectHead | null): boolean {
    if (head) {
      [this.#head, this.#left, this.#heldSince] = [head, head.length, performance.now()];
      if (this.#begin) this.#take = this.#begin(head);
    }
    const isUnderstood = head !== null && (this.#begin === null || this.#take !== null);
    this.#waiting.onHead(isUnderstood ? head : null);
    return isUnderstood;
  }

  /** Says what takes the body, and who waits for its end. */
  read(take: TakeBytes, waiting: Pick<Waiting, 'onEnd' | 'onError'>): void {
    [this.#take, this.#heldSince] = [take, performance.now()];
    Object.assign(this.#waiting, waiting);
  }

  /** Whether all that is still to come of the body has come. */
  isWhole(blocks: ReadBlocks): boolean {
    return this.#take !== null && blocks.waiting >= this.#left;
  }

  /** Whether what has come is to be handed over now, and not together with more. */
  isDue(blocks: ReadBlocks): boolean {
    return this.#take !== null && (!blocks.hasRoom || blocks.isFull || performance.now() - this.#heldSince >= longestHeld);
  }

  /**
   * Hands over what has come of the body.
   *
   * @param onRoom hears when bytes are not needed any more.
   * @param onFailure hears what taking them fails with.
   */
  hand(blocks: ReadBlocks, onRoom: () => void, onFailure: (error: unknown) => void): void {
    this.#heldSince = performance.now();
    while (this.#take && this.#left > 0) {
      const part = blocks.take(this.#left);
      if (!part) return;
      this.#left -= part.bytes.length;
      try {
        const taken = this.#take(part.bytes);
        if (taken) this.#wait(taken, part.release, onRoom, onFailure);
        else part.release();
      } catch (error) {
        this.#take = null;
        onFailure(error);
      }
    }
  }

  /** All of it has been handed over. */
  end(): void {
    const { onEnd, onError } = this.#waiting;
    if (this.#taking) this.#taking.then(onEnd, onError);
    else onEnd();
  }

  /** It ends with an error, or with that of taking what had come. */
  fail(reason: unknown): void {
    const { onError } = this.#waiting;
    if (this.#taking) this.#taking.then(() => onError(reason), onError);
    else onError(reason);
  }

  #wait(taken: Promise<void>, release: () => void, onRoom: () => void, onFailure: (error: unknown) => void): void {
    const back = (): void => {
      release();
      onRoom();
    };
    taken.then(back, back);
    this.#taking = Promise.all([this.#taking, taken]).then(() => {});
    this.#taking.catch(onFailure);
  }
}
