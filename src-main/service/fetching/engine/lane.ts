import type { Answer, Asker, AskRequest, DirectRequest } from './ask.ts';
import { statusFailure } from './ask-error.ts';
import { Share } from './checkpoints.ts';
import type { DirectHead } from './direct-head.ts';
import { DirectLine, StaleLine, type TakeBytes } from './direct-line.ts';

/** The beginning of an answer, with one of two ways to read its body. */
export type LaneAnswer = Pick<Answer, 'status' | 'headers' | 'url'> &
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

  close(): void {
    this.#line?.close();
  }

  async #askDirectly(request: AskRequest & { readonly signal: AbortSignal }): Promise<LaneAnswer | null> {
    const direct = this.#asker.direct(request);
    if (!direct) return null;
    const { signal } = request;
    for (;;) {
      signal.throwIfAborted();
      const line = this.#freeLine(direct);
      const abort = (): void => line.close(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      signal.addEventListener('abort', abort, { once: true });
      try {
        const head = await line.ask(direct.text);
        const answer = head && usable(head, direct.url);
        if (answer) return { ...answer, way: 'direct', read: (take) => line.read(take), end: () => this.#end(line, signal, abort) };
        // Redirects, chunks and the like; it will not be the last one.
        this.#understands = false;
        this.#end(line, signal, abort);
        return null;
      } catch (error) {
        this.#end(line, signal, abort);
        if (!(error instanceof StaleLine)) throw error;
      }
    }
  }

  #freeLine({ url, patience }: DirectRequest): DirectLine {
    const blockBytes = this.#isLimited() ? limitedBlocks : fastBlocks;
    if (this.#line?.isFree && this.#blockBytes === blockBytes) return this.#line;
    this.#line?.close();
    [this.#line, this.#blockBytes] = [new DirectLine(url, patience, blockBytes), blockBytes];
    return this.#line;
  }

  #end(line: DirectLine, signal: AbortSignal, abort: () => void): void {
    signal.removeEventListener('abort', abort);
    if (!line.isFree) line.close();
  }
}

function usable({ status, headers }: DirectHead, url: URL): Pick<Answer, 'status' | 'headers' | 'url'> | null {
  if (status === 200 || status === 206 || status === 416) return { status, headers, url };
  if (status >= 400) throw statusFailure(status, headers, url.host);
  return null;
}
