import type { Socket } from 'node:net';
import { toHttpRequestError, HttpRequestError, timeoutError } from './http-request-error.ts';
import type { RawRequest } from './http-client.ts';
import { openConnection } from './connection.ts';
import { parseResponseHead, couldBeResponseHead, type ResponseHead } from './parse-response-head.ts';
import { PipelinedRequest, type HeadHandler, type BodyHandler } from './pipelined-request.ts';
import { ReadBlocks } from './read-blocks.ts';

const maxHeadBytes = 64 * 1024;
// A server answers one after the other, so these cost it nothing; more of small files would be more than may come twice after a kill.
const maxPipelinedRequests = 16;
const unpipelinedResponses = 3;

/** The connection had been used before, and was closed before an answer began: nothing has happened. */
export class StaleConnection extends Error {}

/** The connection ended before the answer's turn had come: nothing has happened. */
export class PipelineAborted extends Error {}

/**
 * One connection that reads into buffers of its own, over and over the same: Node's HTTP client makes new ones for every 64 KiB, and spends more on that than
 * on everything else (measured without TLS: 0.9 against 0.2 seconds of a processor for a gigabyte). It knows plain answers only. Several requests may be on
 * their way at once (RFC 9112 section 9.3.2), which spares small files the time that each would take to the server and back.
 */
export class PipelinedConnection {
  readonly #url: URL;
  readonly #idleMs: number;
  readonly #socket: Socket;
  readonly #blocks: ReadBlocks;
  /** In the order of their requests; the first one is being answered. */
  readonly #requests: PipelinedRequest[] = [];
  #unsent = '';
  #responses = 0;
  #isReady = false;
  #paused = false;
  #broken = false;

  /** @param blockBytes in which a long body is handed on. */
  constructor(
    { url, certificate, timeouts }: Pick<RawRequest, 'url' | 'certificate' | 'timeouts'>,
    blockBytes: number,
  ) {
    [this.#url, this.#idleMs, this.#blocks] = [url, timeouts.idleMs, new ReadBlocks(blockBytes)];
    const connecting = setTimeout(() => this.close(timeoutError(url.host)), timeouts.connectMs);
    this.#socket = openConnection(
      url,
      certificate,
      { buffer: () => this.#blocks.next(), callback: (count) => this.#onRead(count) },
      () => {
        clearTimeout(connecting);
        this.#isReady = true;
        this.#flush();
      },
    );
    this.#socket.setTimeout(this.#idleMs);
    // While it reads nothing, silence is not the server's fault.
    this.#socket.on('timeout', () =>
      this.#paused ? this.#socket.setTimeout(this.#idleMs) : this.close(timeoutError(url.host)),
    );
    this.#socket.on('error', (error) => this.close(toHttpRequestError(error, url)));
    this.#socket.on('end', () => this.close(toHttpRequestError(null, url)));
    this.#socket.on('close', () => {
      clearTimeout(connecting);
      this.close(toHttpRequestError(null, url));
    });
  }

  /** Whether it can be asked, and nothing else was. */
  get isFree(): boolean {
    return this.isOpen && this.#requests.length === 0;
  }

  /** Whether it can be asked. */
  get isOpen(): boolean {
    return !this.#broken;
  }

  /** How many requests may be on their way: one more with each answer, but not at first, because a server may end each connection after a few. */
  get pipelineDepth(): number {
    return Math.min(Math.max(this.#responses - unpipelinedResponses, 1), maxPipelinedRequests);
  }

  /**
   * Asks for something. @param request line and headers, with the empty line.
   *
   * @returns null for an answer that it does not understand.
   * @throws StaleLine, AskError, or what it was closed with
   */
  async send(request: string): Promise<ResponseHead | null> {
    if (!this.isFree) throw new StaleConnection();
    return new Promise((resolve, reject) =>
      this.#enqueue(request, new PipelinedRequest(null, { onHead: resolve, onEnd: () => {}, onError: reject })),
    );
  }

  /**
   * Asks behind what was asked before, and hands the answer over when its turn has come.
   *
   * @returns false for an answer that is not understood.
   * @throws StaleLine, LostTurn, AskError, what it was closed with, or the error of `begin` or of what takes the body.
   */
  async sendPipelined(request: string, begin: HeadHandler): Promise<boolean> {
    if (!this.isOpen) throw new StaleConnection();
    return new Promise((resolve, reject) => {
      const onHead = (head: ResponseHead | null): void => (head ? undefined : resolve(false));
      this.#enqueue(request, new PipelinedRequest(begin, { onHead, onEnd: () => resolve(true), onError: reject }));
    });
  }

  /** Reads the body of what was asked. @throws AskError, what it was closed with, or the error of `take` */
  async read(take: BodyHandler): Promise<void> {
    const [now] = this.#requests;
    if (!now) throw toHttpRequestError(null, this.#url);
    return new Promise((resolve, reject) => {
      now.read(take, { onEnd: resolve, onError: reject });
      this.#advance();
      this.#resumeReading();
    });
  }

  /** Ends whatever is going on with an error; what has come is handed over before. */
  close(error: unknown = new Error('closed')): void {
    this.#broken = true;
    this.#socket.destroy();
    const [now, ...behind] = this.#requests.splice(0);
    for (const one of behind) one.fail(new PipelineAborted());
    if (!now) return;
    this.#deliver(now);
    const isStale =
      !now.hasHead && this.#responses > 0 && error instanceof HttpRequestError && error.failure === 'disconnected';
    now.fail(isStale ? new StaleConnection() : error);
  }

  #enqueue(request: string, pipelined: PipelinedRequest): void {
    this.#requests.push(pipelined);
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
  #onRead(count: number): boolean {
    this.#blocks.received(count);
    this.#advance();
    this.#paused = !this.#reads;
    return !this.#paused;
  }

  /** Hands on what has come, of one answer after the other. */
  #advance(): void {
    for (
      let now = this.#requests[0];
      now && (now.hasHead || this.#readHead(now)) && this.#deliverIfDue(now);
      [now] = this.#requests
    );
    // Bytes that belong to nothing.
    if (this.#requests.length === 0 && this.#blocks.waiting > 0) this.close();
  }

  /** Not before somebody wants the body. */
  get #reads(): boolean {
    return !this.#broken && this.#blocks.hasSpace && this.#requests[0]?.isPaused !== true;
  }

  #resumeReading(): void {
    if (!this.#paused || !this.#reads) return;
    this.#paused = false;
    this.#socket.setTimeout(this.#idleMs);
    this.#socket.resume();
  }

  /** @returns whether the body may follow */
  #readHead(now: PipelinedRequest): boolean {
    const start = this.#blocks.peek();
    const end = start.indexOf('\r\n\r\n');
    if (end < 0 && start.length < maxHeadBytes && couldBeResponseHead(start)) return false;
    const head = end < 0 ? null : parseResponseHead(start.toString('latin1', 0, end));
    if (head) this.#blocks.take(end + 4)?.release();
    try {
      if (now.begin(head)) return true;
      this.#requests.shift();
      // Those behind it can be asked for once more, the other way.
      this.close(new PipelineAborted());
    } catch (error) {
      this.close(error);
    }
    return false;
  }

  /** @returns whether all of the body has come */
  #deliverIfDue(now: PipelinedRequest): boolean {
    const isWhole = now.isWhole(this.#blocks);
    if (!isWhole && !now.isDue(this.#blocks)) return false;
    this.#deliver(now);
    if (!isWhole || this.#broken) return false;
    this.#requests.shift();
    this.#responses += 1;
    // The server closes, and answers nothing that was asked behind this.
    if (!now.keepAlive) this.close(new PipelineAborted());
    now.end();
    return true;
  }

  #deliver(now: PipelinedRequest): void {
    const failed = (error: unknown): void => (this.#requests[0] === now ? this.close(error) : undefined);
    now.deliver(this.#blocks, () => this.#resumeReading(), failed);
  }
}
