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

/** Gets the head of an answer and says what takes the body; null when it does not understand the answer. What it throws ends the connection. */
type Begin = (head: DirectHead) => TakeBytes | null;

interface Exchange {
  /** Null where the body is read later. */
  readonly begin: Begin | null;
  head: DirectHead | null;
  /** Bytes of the body that were not handed over yet. */
  left: number;
  take: TakeBytes | null;
  taking: Promise<void>;
  heldSince: number;
  onHead: (head: DirectHead | null) => void;
  onEnd: () => void;
  onError: (error: unknown) => void;
}

// A server answers one after the other, so these cost it nothing; more of small files would be more than may come twice after a kill.
const mostAtOnce = 16;
const answeredAlone = 3;

/** The connection had been used before, and was closed before an answer began: nothing has happened. */
export class StaleLine extends Error {}

/** The connection ended before the answer's turn had come: nothing has happened. */
export class LostTurn extends Error {}

/**
 * One connection without TLS that reads into buffers of its own, over and over the same: Node's HTTP client makes new ones for every 64 KiB, and spends more
 * on that than on everything else (measured: 0.9 against 0.2 seconds of a processor for a gigabyte). It knows plain answers only. Several requests may be on
 * their way at once (RFC 9112 section 9.3.2), which spares small files the time that each would take to the server and back.
 */
export class DirectLine {
  readonly #url: URL;
  readonly #patience: Patience;
  readonly #socket: Socket;
  readonly #blocks: ReadBlocks;
  /** In the order of their requests; the first one is being answered. */
  readonly #exchanges: Exchange[] = [];
  #unsent = '';
  #answered = 0;
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

  /** Whether it can be asked, and nothing else was. */
  get isFree(): boolean {
    return this.isOpen && this.#exchanges.length === 0;
  }

  /** Whether it can be asked. */
  get isOpen(): boolean {
    return !this.#broken;
  }

  /** How many requests may be on their way: one more with each answer, but not at first, because a server may end each connection after a few. */
  get atOnce(): number {
    return Math.min(Math.max(this.#answered - answeredAlone, 1), mostAtOnce);
  }

  /**
   * Asks for something. @param request line and headers, with the empty line.
   *
   * @returns null for an answer that it does not understand.
   * @throws StaleLine, AskError, or what it was closed with
   */
  async ask(request: string): Promise<DirectHead | null> {
    if (!this.isFree) throw new StaleLine();
    return new Promise((resolve, reject) => this.#send(request, null, { onHead: resolve, onEnd: () => {}, onError: reject }));
  }

  /**
   * Asks behind what was asked before, and hands the answer over when its turn has come.
   *
   * @returns false for an answer that is not understood.
   * @throws StaleLine, LostTurn, AskError, what it was closed with, or the error of `begin` or of what takes the body.
   */
  async askInTurn(request: string, begin: Begin): Promise<boolean> {
    if (!this.isOpen) throw new StaleLine();
    return new Promise((resolve, reject) =>
      this.#send(request, begin, { onHead: (head) => (head ? undefined : resolve(false)), onEnd: () => resolve(true), onError: reject }),
    );
  }

  /** Reads the body of what was asked. @throws AskError, what it was closed with, or the error of `take` */
  async read(take: TakeBytes): Promise<void> {
    const [now] = this.#exchanges;
    if (!now) throw asAskError(null, this.#url);
    return new Promise((resolve, reject) => {
      [now.take, now.onEnd, now.onError, now.heldSince] = [take, resolve, reject, performance.now()];
      this.#advance();
      this.#goOn();
    });
  }

  /** Ends whatever is going on with an error; what has come is handed over before. */
  close(error: unknown = new Error('closed')): void {
    this.#broken = true;
    this.#socket.destroy();
    const [now, ...behind] = this.#exchanges.splice(0);
    for (const one of behind) one.onError(new LostTurn());
    if (!now) return;
    this.#hand(now);
    const isStale = !now.head && this.#answered > 0 && error instanceof AskError && error.failure === 'disconnected';
    void endedBy(now, isStale ? new StaleLine() : error);
  }

  #send(request: string, begin: Begin | null, on: Pick<Exchange, 'onHead' | 'onEnd' | 'onError'>): void {
    this.#exchanges.push({ begin, head: null, left: 0, take: null, taking: Promise.resolve(), heldSince: 0, ...on });
    // What is asked in one turn goes together.
    if (this.#unsent === '') process.nextTick(() => this.#flush());
    this.#unsent += request;
  }

  #flush(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (!this.#broken) this.#socket.write(text, 'latin1');
  }

  /** @returns whether to read on */
  #came(count: number): boolean {
    this.#blocks.came(count);
    this.#advance();
    this.#paused = !this.#reads;
    return !this.#paused;
  }

  /** Hands on what has come, of one answer after the other. */
  #advance(): void {
    for (let now = this.#exchanges[0]; now && (now.head !== null || this.#readHead(now)) && this.#look(now); [now] = this.#exchanges);
    // Bytes that belong to nothing.
    if (this.#exchanges.length === 0 && this.#blocks.waiting > 0) this.close();
  }

  /** Not before somebody wants the body. */
  get #reads(): boolean {
    const [now] = this.#exchanges;
    return !this.#broken && this.#blocks.hasRoom && (!now?.head || now.take !== null);
  }

  #goOn(): void {
    if (!this.#paused || !this.#reads) return;
    this.#paused = false;
    this.#socket.setTimeout(this.#patience.silence);
    this.#socket.resume();
  }

  /** @returns whether the body may follow */
  #readHead(now: Exchange): boolean {
    const start = this.#blocks.peek();
    const end = start.indexOf('\r\n\r\n');
    if (end < 0 && start.length < longestHead) return false;
    const head = end < 0 ? null : directHead(start.toString('latin1', 0, end));
    if (head) {
      [now.head, now.left, now.heldSince] = [head, head.length, performance.now()];
      this.#blocks.take(end + 4)?.release();
    }
    try {
      if (head && now.begin) now.take = now.begin(head);
    } catch (error) {
      this.close(error);
      return false;
    }
    if (!head || (now.begin && !now.take)) {
      this.#exchanges.shift();
      this.close();
      now.onHead(null);
      return false;
    }
    now.onHead(head);
    return true;
  }

  /** @returns whether all of the body has come */
  #look(now: Exchange): boolean {
    if (!now.take) return false;
    const isLast = this.#blocks.waiting >= now.left;
    if (!isLast && this.#blocks.hasRoom && !this.#blocks.isFull && performance.now() - now.heldSince < longestHeld) return false;
    this.#hand(now);
    if (!isLast || this.#broken) return false;
    this.#exchanges.shift();
    this.#answered += 1;
    // The server closes.
    if (now.head?.keeps !== true) this.close();
    now.taking.then(now.onEnd, now.onError);
    return true;
  }

  /** Hands over what has come of the body. */
  #hand(now: Exchange): void {
    now.heldSince = performance.now();
    while (now.take && now.left > 0) {
      const part = this.#blocks.take(now.left);
      if (!part) return;
      now.left -= part.bytes.length;
      try {
        const taken = now.take(part.bytes);
        if (taken) this.#wait(now, taken, part.release);
        else part.release();
      } catch (error) {
        now.take = null;
        this.close(error);
      }
    }
  }

  #wait(now: Exchange, taken: Promise<void>, release: () => void): void {
    const back = (): void => {
      release();
      this.#goOn();
    };
    taken.then(back, back);
    now.taking = Promise.all([now.taking, taken]).then(() => {});
    now.taking.catch((error: unknown) => (this.#exchanges[0] === now ? this.close(error) : undefined));
  }
}

async function endedBy(exchange: Exchange, error: unknown): Promise<void> {
  const failure = await exchange.taking.then(
    () => error,
    (own: unknown) => own,
  );
  exchange.onError(failure);
}
