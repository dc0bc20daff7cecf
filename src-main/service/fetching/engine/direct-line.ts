import { connect, type Socket } from 'node:net';
import { asAskError, AskError, timedOut } from './ask-error.ts';
import type { Patience } from './ask.ts';
import { directHead, type DirectHead } from './direct-head.ts';
import { ReadBlocks } from './read-blocks.ts';

/** Gets the bytes of a body in their order. They stay valid until the promise resolves; without a promise, for the call. */
export type TakeBytes = (bytes: Buffer) => Promise<void> | undefined;

// What has come is handed on at least so often.
const longestHeld = 1000;
const longestHead = 64 * 1024;

interface Exchange {
  head: DirectHead | null;
  /** Bytes of the body that were not handed over yet. */
  left: number;
  take: TakeBytes | null;
  taking: Promise<void>;
  heldSince: number;
  onHead: (head: DirectHead | null) => void;
  onEnd: () => void;
  onError: (error: Error) => void;
}

/** The connection had been used before, and was closed before an answer began: nothing has happened. */
export class StaleLine extends Error {}

/**
 * One connection without TLS that reads into buffers of its own, over and over the same: Node's HTTP client makes new ones for every 64 KiB, and spends more
 * on that than on everything else (measured: 0.9 against 0.2 seconds of a processor for a gigabyte). It knows plain answers only.
 */
export class DirectLine {
  readonly #url: URL;
  readonly #patience: Patience;
  readonly #socket: Socket;
  readonly #blocks: ReadBlocks;
  #now: Exchange | null = null;
  #used = false;
  #paused = false;
  #broken = false;

  /** @param blockBytes in which a long body is handed on. */
  constructor(url: URL, patience: Patience, blockBytes: number) {
    [this.#url, this.#patience, this.#blocks] = [url, patience, new ReadBlocks(blockBytes)];
    const place = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || '80') };
    this.#socket = connect({ ...place, noDelay: true, onread: { buffer: () => this.#blocks.next(), callback: (count) => this.#came(count) } });
    this.#socket.setTimeout(patience.silence);
    const connecting = setTimeout(() => this.close(timedOut(url.host)), patience.connecting);
    this.#socket.once('connect', () => clearTimeout(connecting));
    // While it reads nothing, silence is not the server's fault.
    this.#socket.on('timeout', () => (this.#paused ? this.#socket.setTimeout(patience.silence) : this.close(timedOut(url.host))));
    this.#socket.on('error', (error) => this.close(asAskError(error, url)));
    this.#socket.on('end', () => this.close(asAskError(null, url)));
    this.#socket.on('close', () => {
      clearTimeout(connecting);
      this.close(asAskError(null, url));
    });
  }

  /** Whether it can be asked. */
  get isFree(): boolean {
    return !this.#broken && this.#now === null;
  }

  /**
   * Asks for something. @param request line and headers, with the empty line.
   *
   * @returns null for an answer that it does not understand.
   * @throws StaleLine, AskError, or what it was closed with
   */
  async ask(request: string): Promise<DirectHead | null> {
    if (!this.isFree) throw new StaleLine();
    return new Promise((resolve, reject) => {
      const wasUsed = this.#used;
      this.#used = true;
      this.#now = {
        head: null,
        left: 0,
        take: null,
        taking: Promise.resolve(),
        heldSince: 0,
        onHead: resolve,
        onEnd: () => {},
        onError: (error) => reject(wasUsed && error instanceof AskError && error.failure === 'disconnected' ? new StaleLine() : error),
      };
      this.#socket.setTimeout(this.#patience.silence);
      this.#socket.write(request, 'latin1');
    });
  }

  /** Reads the body of what was asked. @throws AskError, what it was closed with, or the error of `take` */
  async read(take: TakeBytes): Promise<void> {
    const now = this.#now;
    if (!now) throw asAskError(null, this.#url);
    return new Promise((resolve, reject) => {
      [now.take, now.onEnd, now.onError, now.heldSince] = [take, resolve, reject, performance.now()];
      this.#look(now);
      this.#goOn();
    });
  }

  /** Ends whatever is going on with an error; what has come is handed over before. */
  close(error = new Error('closed')): void {
    this.#broken = true;
    this.#socket.destroy();
    const now = this.#now;
    this.#now = null;
    if (!now) return;
    this.#hand(now);
    void endedBy(now, error);
  }

  /** @returns whether to read on */
  #came(count: number): boolean {
    this.#blocks.came(count);
    const now = this.#now;
    if (!now) this.close();
    else if (now.head) this.#look(now);
    else this.#readHead(now);
    this.#paused = !this.#reads;
    return !this.#paused;
  }

  /** Not before somebody wants the body. */
  get #reads(): boolean {
    return !this.#broken && this.#blocks.hasRoom && (!this.#now?.head || this.#now.take !== null);
  }

  #goOn(): void {
    if (!this.#paused || !this.#reads) return;
    this.#paused = false;
    this.#socket.setTimeout(this.#patience.silence);
    this.#socket.resume();
  }

  #readHead(now: Exchange): void {
    const start = this.#blocks.peek();
    const end = start.indexOf('\r\n\r\n');
    if (end < 0 && start.length < longestHead) return;
    const head = end < 0 ? null : directHead(start.toString('latin1', 0, end));
    if (head) {
      [now.head, now.left] = [head, head.length];
      this.#blocks.take(end + 4)?.release();
    } else {
      this.#now = null;
      this.close();
    }
    now.onHead(head);
  }

  #look(now: Exchange): void {
    if (!now.take) return;
    const isLast = this.#blocks.waiting >= now.left;
    if (!isLast && this.#blocks.hasRoom && !this.#blocks.isFull && performance.now() - now.heldSince < longestHeld) return;
    this.#hand(now);
    if (!isLast) return;
    this.#now = null;
    // Bytes that belong to nothing, or the server closes.
    if (this.#blocks.waiting > 0 || now.head?.keeps !== true) this.close();
    now.taking.then(now.onEnd, now.onError);
  }

  /** Hands over what has come of the body. */
  #hand(now: Exchange): void {
    now.heldSince = performance.now();
    while (now.take && now.left > 0) {
      const part = this.#blocks.take(now.left);
      if (!part) return;
      now.left -= part.bytes.length;
      const taken = now.take(part.bytes);
      if (taken) this.#wait(now, taken, part.release);
      else part.release();
    }
  }

  #wait(now: Exchange, taken: Promise<void>, release: () => void): void {
    const back = (): void => {
      release();
      this.#goOn();
    };
    taken.then(back, back);
    now.taking = Promise.all([now.taking, taken]).then(() => {});
    now.taking.catch((error: Error) => (this.#now === now ? this.close(error) : undefined));
  }
}

async function endedBy(exchange: Exchange, error: Error): Promise<void> {
  const failure = await exchange.taking.then(
    () => error,
    (own: Error) => own,
  );
  exchange.onError(failure);
}
