import type { Socket } from 'node:net';
import { asAskError, AskError, timedOut } from './ask-error.ts';
import type { DirectRequest } from './ask.ts';
import { openConnection } from './connection.ts';
import { directHead, mayBeHead, type DirectHead } from './direct-head.ts';
import { Exchange, type Begin, type TakeBytes } from './exchange.ts';
import { ReadBlocks } from './read-blocks.ts';

const longestHead = 64 * 1024;
// A server answers one after the other, so these cost it nothing; more of small files would be more than may come twice after a kill.
const mostAtOnce = 16;
const answeredAlone = 3;

/** The connection had been used before, and was closed before an answer began: nothing has happened. */
export class StaleLine extends Error {}

/** The connection ended before the answer's turn had come: nothing has happened. */
export class LostTurn extends Error {}

/**
 * One connection that reads into buffers of its own, over and over the same: Node's HTTP client makes new ones for every 64 KiB, and spends more on that than
 * on everything else (measured without TLS: 0.9 against 0.2 seconds of a processor for a gigabyte). It knows plain answers only. Several requests may be on
 * their way at once (RFC 9112 section 9.3.2), which spares small files the time that each would take to the server and back.
 */
export class DirectLine {
  readonly #url: URL;
  readonly #silence: number;
  readonly #socket: Socket;
  readonly #blocks: ReadBlocks;
  /** In the order of their requests; the first one is being answered. */
  readonly #exchanges: Exchange[] = [];
  #unsent = '';
  #answered = 0;
  #isReady = false;
  #paused = false;
  #broken = false;

  /** @param blockBytes in which a long body is handed on. */
  constructor({ url, certificate, patience }: Pick<DirectRequest, 'url' | 'certificate' | 'patience'>, blockBytes: number) {
    [this.#url, this.#silence, this.#blocks] = [url, patience.silence, new ReadBlocks(blockBytes)];
    const connecting = setTimeout(() => this.close(timedOut(url.host)), patience.connecting);
    this.#socket = openConnection(url, certificate, { buffer: () => this.#blocks.next(), callback: (count) => this.#came(count) }, () => {
      clearTimeout(connecting);
      this.#isReady = true;
      this.#flush();
    });
    this.#socket.setTimeout(this.#silence);
    // While it reads nothing, silence is not the server's fault.
    this.#socket.on('timeout', () => (this.#paused ? this.#socket.setTimeout(this.#silence) : this.close(timedOut(url.host))));
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
    return new Promise((resolve, reject) => this.#send(request, new Exchange(null, { onHead: resolve, onEnd: () => {}, onError: reject })));
  }

  /**
   * Asks behind what was asked before, and hands the answer over when its turn has come.
   *
   * @returns false for an answer that is not understood.
   * @throws StaleLine, LostTurn, AskError, what it was closed with, or the error of `begin` or of what takes the body.
   */
  async askInTurn(request: string, begin: Begin): Promise<boolean> {
    if (!this.isOpen) throw new StaleLine();
    return new Promise((resolve, reject) => {
      const onHead = (head: DirectHead | null): void => (head ? undefined : resolve(false));
      this.#send(request, new Exchange(begin, { onHead, onEnd: () => resolve(true), onError: reject }));
    });
  }

  /** Reads the body of what was asked. @throws AskError, what it was closed with, or the error of `take` */
  async read(take: TakeBytes): Promise<void> {
    const [now] = this.#exchanges;
    if (!now) throw asAskError(null, this.#url);
    return new Promise((resolve, reject) => {
      now.read(take, { onEnd: resolve, onError: reject });
      this.#advance();
      this.#goOn();
    });
  }

  /** Ends whatever is going on with an error; what has come is handed over before. */
  close(error: unknown = new Error('closed')): void {
    this.#broken = true;
    this.#socket.destroy();
    const [now, ...behind] = this.#exchanges.splice(0);
    for (const one of behind) one.fail(new LostTurn());
    if (!now) return;
    this.#hand(now);
    const isStale = !now.hasHead && this.#answered > 0 && error instanceof AskError && error.failure === 'disconnected';
    now.fail(isStale ? new StaleLine() : error);
  }

  #send(request: string, exchange: Exchange): void {
    this.#exchanges.push(exchange);
    // What is asked in one turn goes together.
    if (this.#unsent === '') process.nextTick(() => this.#flush());
    this.#unsent += request;
  }

  #flush(): void {
    if (!this.#isReady || this.#broken || this.#unsent === '') return;
    const text = this.#unsent;
    this.#unsent = '';
    this.#socket.write(text, 'latin1');
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
    for (let now = this.#exchanges[0]; now && (now.hasHead || this.#readHead(now)) && this.#look(now); [now] = this.#exchanges);
    // Bytes that belong to nothing.
    if (this.#exchanges.length === 0 && this.#blocks.waiting > 0) this.close();
  }

  /** Not before somebody wants the body. */
  get #reads(): boolean {
    return !this.#broken && this.#blocks.hasRoom && this.#exchanges[0]?.isHeld !== true;
  }

  #goOn(): void {
    if (!this.#paused || !this.#reads) return;
    this.#paused = false;
    this.#socket.setTimeout(this.#silence);
    this.#socket.resume();
  }

  /** @returns whether the body may follow */
  #readHead(now: Exchange): boolean {
    const start = this.#blocks.peek();
    const end = start.indexOf('\r\n\r\n');
    if (end < 0 && start.length < longestHead && mayBeHead(start)) return false;
    const head = end < 0 ? null : directHead(start.toString('latin1', 0, end));
    if (head) this.#blocks.take(end + 4)?.release();
    try {
      if (now.begin(head)) return true;
      this.#exchanges.shift();
      // Those behind it can be asked for once more, the other way.
      this.close(new LostTurn());
    } catch (error) {
      this.close(error);
    }
    return false;
  }

  /** @returns whether all of the body has come */
  #look(now: Exchange): boolean {
    const isWhole = now.isWhole(this.#blocks);
    if (!isWhole && !now.isDue(this.#blocks)) return false;
    this.#hand(now);
    if (!isWhole || this.#broken) return false;
    this.#exchanges.shift();
    this.#answered += 1;
    // The server closes, and answers nothing that was asked behind this.
    if (!now.keeps) this.close(new LostTurn());
    now.end();
    return true;
  }

  #hand(now: Exchange): void {
    const failed = (error: unknown): void => (this.#exchanges[0] === now ? this.close(error) : undefined);
    now.hand(this.#blocks, () => this.#goOn(), failed);
  }
}
