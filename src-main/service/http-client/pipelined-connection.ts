import type { Socket } from 'node:net';
import { HttpRequestError, requestFailure, toHttpRequestError } from './http-request-error.ts';
import type { RawRequest } from './http-client.ts';
import { openConnection, type Trust } from './connection.ts';
import { parseResponseHead, couldBeResponseHead, type ResponseHead } from './parse-response-head.ts';
import type { BodyHandler } from './http-response.ts';
import { PipelinedRequest, type HeadHandler } from './pipelined-request.ts';
import { ReadBlocks } from './read-blocks.ts';

const maxHeadBytes = 64 * 1024;
// The server answers in order, so pipelining costs it nothing. The limit bounds the small files
// fetched twice after a kill.
const maxPipelinedRequests = 16;
const unpipelinedResponses = 3;

/** A reused connection was closed before a response began; the request had no effect. */
export class StaleConnection extends Error {}

/** The connection ended before this request's response began; the request had no effect. */
export class PipelineAborted extends Error {}

/**
 * One connection that reads into a fixed set of buffers. Node's HTTP client allocates a new buffer
 * for every 64 KiB, which costs more than all other work (without TLS: 0.9 against 0.2 seconds of
 * CPU time per gigabyte). Parses plain responses only. Pipelines several requests (RFC 9112 section
 * 9.3.2), which saves small files a round trip each.
 */
export class PipelinedConnection {
  readonly #url: URL;
  readonly #idleMs: number;
  readonly #socket: Socket;
  readonly #blocks: ReadBlocks;
  /** In request order; the first one is being answered. */
  readonly #requests: PipelinedRequest[] = [];
  #unsent = '';
  #responses = 0;
  #isReady = false;
  #paused = false;
  #broken = false;

  /** @param blockBytes the size of each buffer, and so of the parts of a long body. */
  constructor({ url, timeouts, ...trust }: Pick<RawRequest, 'url' | 'timeouts'> & Trust, blockBytes: number) {
    [this.#url, this.#idleMs, this.#blocks] = [url, timeouts.idleMs, new ReadBlocks(blockBytes)];
    const connecting = setTimeout(() => this.close(requestFailure('timed-out', url)), timeouts.connectMs);
    this.#socket = openConnection(
      url,
      trust,
      { buffer: () => this.#blocks.next(), callback: (count) => this.#onRead(count) },
      () => {
        clearTimeout(connecting);
        this.#isReady = true;
        this.#flush();
      },
    );
    this.#socket.setTimeout(this.#idleMs);
    // While reading is paused, silence is not the server's fault.
    this.#socket.on('timeout', () =>
      this.#paused ? this.#socket.setTimeout(this.#idleMs) : this.close(requestFailure('timed-out', url)),
    );
    this.#socket.on('error', (error) => this.close(toHttpRequestError(error, url)));
    this.#socket.on('end', () => this.close(toHttpRequestError(null, url)));
    this.#socket.on('close', () => {
      clearTimeout(connecting);
      this.close(toHttpRequestError(null, url));
    });
  }

  /** Whether it is open and no request is in flight. */
  get isFree(): boolean {
    return this.isOpen && this.#requests.length === 0;
  }

  /** Whether it accepts requests. */
  get isOpen(): boolean {
    return !this.#broken;
  }

  /**
   * Maximum requests in flight. Grows by one per response after the first few, because a server may
   * close each connection after some.
   */
  get pipelineDepth(): number {
    return Math.min(Math.max(this.#responses - unpipelinedResponses, 1), maxPipelinedRequests);
  }

  /**
   * Sends a request and reads the head of its response.
   *
   * @param request line and headers, with the empty line.
   * @returns null for a response it cannot parse.
   * @throws StaleConnection, HttpRequestError, or the error it was closed with
   */
  async send(request: string): Promise<ResponseHead | null> {
    if (!this.isFree) throw new StaleConnection();
    return new Promise((resolve, reject) =>
      this.#enqueue(request, new PipelinedRequest(null, { onHead: resolve, onEnd: () => {}, onError: reject })),
    );
  }

  /**
   * Sends a request behind those in flight and delivers its response in turn.
   *
   * @returns false for a response it cannot parse.
   * @throws StaleConnection, PipelineAborted, HttpRequestError, the error it was closed with, or an
   * error thrown by `begin` or the body handler.
   */
  async sendPipelined(request: string, begin: HeadHandler): Promise<boolean> {
    if (!this.isOpen) throw new StaleConnection();
    return new Promise((resolve, reject) => {
      const onHead = (head: ResponseHead | null): void => (head ? undefined : resolve(false));
      this.#enqueue(request, new PipelinedRequest(begin, { onHead, onEnd: () => resolve(true), onError: reject }));
    });
  }

  /**
   * Reads the body of the current response. @throws HttpRequestError, the error it was closed with,
   * or an error thrown by `take`
   */
  async read(take: BodyHandler): Promise<void> {
    const [now] = this.#requests;
    if (!now) throw toHttpRequestError(null, this.#url);
    return new Promise((resolve, reject) => {
      now.read(take, { onEnd: resolve, onError: reject });
      this.#advance();
      this.#resumeReading();
    });
  }

  /** Fails all requests in flight with an error. Bytes already received are delivered first. */
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
    // Requests of one turn are sent with one write.
    if (this.#unsent === '') process.nextTick(() => this.#flush());
    this.#unsent += request;
  }

  #flush(): void {
    if (!this.#isReady || this.#broken || this.#unsent === '') return;
    const text = this.#unsent;
    this.#unsent = '';
    this.#socket.write(text, 'latin1');
  }

  /** @returns whether to continue reading */
  #onRead(count: number): boolean {
    this.#blocks.received(count);
    this.#advance();
    this.#paused = !this.#reads;
    return !this.#paused;
  }

  /** Delivers received bytes, one response after the other. */
  #advance(): void {
    for (
      let now = this.#requests[0];
      now && (now.hasHead || this.#readHead(now)) && this.#deliverIfDue(now);
      [now] = this.#requests
    );
    // Unsolicited bytes: no request is in flight.
    if (this.#requests.length === 0 && this.#blocks.waiting > 0) this.close();
  }

  /** False until the body has a handler. */
  get #reads(): boolean {
    return !this.#broken && this.#blocks.hasSpace && this.#requests[0]?.isPaused !== true;
  }

  #resumeReading(): void {
    if (!this.#paused || !this.#reads) return;
    this.#paused = false;
    this.#socket.setTimeout(this.#idleMs);
    this.#socket.resume();
  }

  /** @returns whether a body may follow */
  #readHead(now: PipelinedRequest): boolean {
    const start = this.#blocks.peek();
    const end = start.indexOf('\r\n\r\n');
    if (end < 0 && start.length < maxHeadBytes && couldBeResponseHead(start)) return false;
    const head = end < 0 ? null : parseResponseHead(start.toString('latin1', 0, end));
    if (head) this.#blocks.take(end + 4)?.release();
    try {
      if (now.begin(head)) return true;
      this.#requests.shift();
      // Requests behind it can be retried through Node's client.
      this.close(new PipelineAborted());
    } catch (error) {
      this.close(error);
    }
    return false;
  }

  /** @returns whether the whole body was received */
  #deliverIfDue(now: PipelinedRequest): boolean {
    const isWhole = now.isWhole(this.#blocks);
    if (!isWhole && !now.isDue(this.#blocks)) return false;
    this.#deliver(now);
    if (!isWhole || this.#broken) return false;
    this.#requests.shift();
    this.#responses += 1;
    // The server closes the connection and ignores the requests behind this one.
    if (!now.keepAlive) this.close(new PipelineAborted());
    now.end();
    return true;
  }

  #deliver(now: PipelinedRequest): void {
    const failed = (error: unknown): void => (this.#requests[0] === now ? this.close(error) : undefined);
    now.deliver(this.#blocks, () => this.#resumeReading(), failed);
  }
}
