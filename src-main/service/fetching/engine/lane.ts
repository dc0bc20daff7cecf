import type { Answer, Asker, AskRequest, DirectRequest } from './ask.ts';
import { statusFailure } from './ask-error.ts';
import { Share } from './checkpoints.ts';
import type { DirectHead } from './direct-head.ts';
import { DirectLine, StaleLine, type TakeBytes } from './direct-line.ts';
import { smallBytes } from './small-file.ts';

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
  #signal: AbortSignal | null = null;
  #room: Buffer | null = null;
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

  /** Room for a small file, which is used again for the next one. */
  room(bytes: number): Buffer {
    this.#room ??= Buffer.allocUnsafeSlow(smallBytes);
    return this.#room.subarray(0, bytes);
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
      const line = this.#freeLine(direct);
      try {
        const head = await line.ask(direct.text);
        const answer = head && usable(head, direct.url);
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

  /** Small files have one signal for all of them: to listen anew for each costs as much as asking. */
  #listen(signal: AbortSignal | null): void {
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  #freeLine({ url, patience }: DirectRequest): DirectLine {
    const blockBytes = this.#isLimited() ? limitedBlocks : fastBlocks;
    if (this.#line?.isFree && this.#blockBytes === blockBytes) return this.#line;
    this.#line?.close();
    [this.#line, this.#blockBytes] = [new DirectLine(url, patience, blockBytes), blockBytes];
    return this.#line;
  }
}

function endUnlessFree(line: DirectLine): void {
  if (!line.isFree) line.close();
}

function usable({ status, headers }: DirectHead, url: URL): Pick<Answer, 'status' | 'headers' | 'url'> | null {
  if (status === 200 || status === 206 || status === 416) return { status, headers, url };
  if (status >= 400) throw statusFailure(status, headers, url.host);
  return null;
}
