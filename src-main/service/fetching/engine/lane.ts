import type { Asker, AskRequest, Answer } from './ask.ts';
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

/** One connection, and what of its bytes is not in the journal yet. */
export class Lane {
  readonly share = new Share();
  readonly #asker: Asker;
  readonly #isLimited: () => boolean;
  #line: DirectLine | null = null;
  #understands = true;

  /** @param isLimited whether bytes have to come evenly, which large buffers do not let them */
  constructor(asker: Asker, isLimited: () => boolean) {
    [this.#asker, this.#isLimited] = [asker, isLimited];
  }

  /** @throws AskError, or the reason of the signal */
  async ask(request: AskRequest & { readonly signal: AbortSignal }): Promise<LaneAnswer> {
    const direct = this.#understands && !this.#isLimited() ? await this.#askDirectly(request) : null;
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
      if (!this.#line?.isFree) this.#line?.close();
      const line = this.#line?.isFree ? this.#line : new DirectLine(direct.url, direct.patience);
      this.#line = line;
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
