import type { Answer, Asker, AskRequest, DirectRequest } from './ask.ts';
import { asAskError, statusFailure } from './ask-error.ts';
import { Share } from '../share.ts';
import type { DirectHead } from './direct-head.ts';
import { DirectLine, LostTurn, StaleLine } from './direct-line.ts';
import type { TakeBytes } from './exchange.ts';

/** The beginning of an answer. */
type AnswerHead = Pick<Answer, 'status' | 'headers' | 'url'>;

/** The beginning of an answer, with one of two ways to read its body. */
export type LaneAnswer = AnswerHead &
  (
    | { readonly way: 'node'; readonly answer: Answer }
    /** A body of known length. @throws as DirectLine.read */
    | { readonly way: 'direct'; readonly read: (take: TakeBytes) => Promise<void> }
  ) & {
    /** Ends the connection unless the body was read. */
    readonly end: () => void;
  };

const fastBlocks = 512 * 1024;
// Bytes that are limited have to come evenly.
const limitedBlocks = 64 * 1024;

/** One connection, and what of its bytes is not in the journal yet. */
export class Lane {
  readonly share = new Share();
  readonly #asker: Asker;
  readonly #isLimited: () => boolean;
  #line: DirectLine | null = null;
  #blockBytes = 0;
  #understands = true;
  #signal: AbortSignal | null = null;
  #inTurn = true;
  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#line?.close(reason instanceof Error ? reason : new Error('stopped'));
  };

  /** @param isLimited whether there is a limit of speed */
  constructor(asker: Asker, isLimited: () => boolean) {
    [this.#asker, this.#isLimited] = [asker, isLimited];
  }

  /** @throws AskError, or the reason of the signal */
  async ask(request: AskRequest & { readonly signal: AbortSignal }): Promise<LaneAnswer> {
    const direct = this.#understands ? await this.#askDirectly(request) : null;
    if (direct) return direct;
    const answer = await this.#asker.ask(request);
    const { status, headers, url, body } = answer;
    return { status, headers, url, way: 'node', answer, end: () => void (body.complete || body.destroy()) };
  }

  /** How many may be asked for with `get` at once. */
  get atOnce(): number {
    return this.#inTurn && this.#line?.isOpen === true && !this.#isLimited() ? this.#line.atOnce : 1;
  }

  /** From now on one is asked for after the other, on another connection. */
  oneByOne(): void {
    this.#inTurn = false;
    this.#line?.close(new LostTurn());
  }

  /**
   * Asks for something that is taken as it comes.
   *
   * @param begin gets the head and says what takes the body.
   * @throws LostTurn, AskError, the reason of the signal, or the error of `begin` or of what takes the body.
   */
  async get(request: AskRequest & { readonly signal: AbortSignal }, begin: (head: AnswerHead) => TakeBytes): Promise<void> {
    if (this.#understands && (await this.#getDirectly(request, begin))) return;
    const answer = await this.#asker.ask(request);
    try {
      const take = begin(answer);
      for await (const part of partsOf(answer)) await take(part);
    } finally {
      if (!answer.body.complete) answer.body.destroy();
    }
  }

  close(): void {
    this.#listen(null);
    this.#line?.close();
  }

  async #askDirectly(request: AskRequest & { readonly signal: AbortSignal }): Promise<LaneAnswer | null> {
    const direct = this.#asker.direct(request);
    if (!direct) return null;
    this.#listen(request.signal);
    for (;;) {
      request.signal.throwIfAborted();
      const line = this.#lineFor(direct, true);
      try {
        const head = await line.ask(direct.text);
        const answer = head && usable(head, direct.url, request);
        if (answer) return { ...answer, way: 'direct', read: (take) => line.read(take), end: () => endUnlessFree(line) };
        // Redirects, chunks and the like; it will not be the last one.
        this.#understands = false;
        endUnlessFree(line);
        return null;
      } catch (error) {
        endUnlessFree(line);
        if (!(error instanceof StaleLine)) throw error;
      }
    }
  }

  /** @returns false for an answer that is not understood. */
  async #getDirectly(request: AskRequest & { readonly signal: AbortSignal }, begin: (head: AnswerHead) => TakeBytes): Promise<boolean> {
    const direct = this.#asker.direct(request);
    if (!direct) return false;
    this.#listen(request.signal);
    for (;;) {
      request.signal.throwIfAborted();
      const line = this.#lineFor(direct, false);
      try {
        return (this.#understands = await line.askInTurn(direct.text, (head) => {
          const answer = usable(head, direct.url, request);
          return answer && begin(answer);
        }));
      } catch (error) {
        if (!(error instanceof StaleLine)) throw error;
      }
    }
  }

  /** Small files have one signal for all of them: to listen anew for each costs as much as asking. */
  #listen(signal: AbortSignal | null): void {
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  #lineFor(direct: DirectRequest, alone: boolean): DirectLine {
    const blockBytes = this.#isLimited() ? limitedBlocks : fastBlocks;
    if ((alone ? this.#line?.isFree : this.#line?.isOpen) && this.#line && this.#blockBytes === blockBytes) return this.#line;
    this.#line?.close();
    [this.#line, this.#blockBytes] = [new DirectLine(direct, blockBytes), blockBytes];
    return this.#line;
  }
}

/** A body part by part. @throws AskError */
async function* partsOf({ body, url }: Answer): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw asAskError(error, url);
  }
}

function endUnlessFree(line: DirectLine): void {
  if (!line.isFree) line.close();
}

function usable({ status, headers }: DirectHead, url: URL, request: AskRequest): AnswerHead | null {
  if (status === 200 || status === 206 || (status === 416 && request.headers?.['range'] !== undefined)) return { status, headers, url };
  if (status >= 400) throw statusFailure(status, headers, url.host);
  return null;
}
