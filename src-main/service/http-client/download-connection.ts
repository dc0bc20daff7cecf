import type { HttpClient, HttpRequest, RawRequest } from './http-client.ts';
import type { BodyHandler, HttpResponse, ResponseStart } from './http-response.ts';
import type { ResponseHead } from './parse-response-head.ts';
import { PipelinedConnection, PipelineAborted, StaleConnection } from './pipelined-connection.ts';
import { statusFailure } from './status-failure.ts';

type AbortableRequest = HttpRequest & { readonly signal: AbortSignal };

const unlimitedBlockBytes = 512 * 1024;
// Smaller blocks keep a throttled transfer even.
const throttledBlockBytes = 64 * 1024;

/**
 * One connection to a server, which receives plain responses without Node's HTTP client and all
 * others through it.
 */
export class DownloadConnection {
  readonly #client: HttpClient;
  readonly #isLimited: () => boolean;
  #connection: PipelinedConnection | null = null;
  #blockBytes = 0;
  #acceptsRaw = true;
  #signal: AbortSignal | null = null;
  #isPipelining = true;
  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#connection?.close(reason instanceof Error ? reason : new Error('stopped'));
  };

  /** @param isLimited whether a speed limit applies */
  constructor(client: HttpClient, isLimited: () => boolean) {
    [this.#client, this.#isLimited] = [client, isLimited];
  }

  /** @throws HttpRequestError, or the signal's reason */
  async send(request: AbortableRequest): Promise<HttpResponse> {
    return (this.#acceptsRaw ? await this.#sendRaw(request) : null) ?? this.#client.send(request);
  }

  /** How many `get` requests may be in flight at once. */
  get pipelineDepth(): number {
    return this.#isPipelining && this.#connection?.isOpen === true && !this.#isLimited()
      ? this.#connection.pipelineDepth
      : 1;
  }

  /** Closes the connection; later requests are sent one at a time over a new one. */
  stopPipelining(): void {
    this.#isPipelining = false;
    this.#connection?.close(new PipelineAborted());
  }

  /**
   * Sends a GET request whose body is streamed to a handler.
   *
   * @param begin receives the response head and returns the body handler.
   * @throws PipelineAborted, HttpRequestError, the signal's reason, or an error thrown by `begin`
   * or the body handler.
   */
  async get(request: AbortableRequest, begin: (head: ResponseStart) => BodyHandler): Promise<void> {
    if (this.#acceptsRaw && (await this.#getRaw(request, begin))) return;
    const response = await this.#client.send(request);
    try {
      await response.read(begin(response));
    } finally {
      response.end();
    }
  }

  close(): void {
    this.#listen(null);
    this.#connection?.close();
  }

  async #sendRaw(request: AbortableRequest): Promise<HttpResponse | null> {
    const raw = this.#client.rawRequest(request);
    if (!raw) return null;
    this.#listen(request.signal);
    for (;;) {
      request.signal.throwIfAborted();
      const connection = this.#connectionFor(raw, true);
      try {
        const head = await connection.send(raw.text);
        const response = head && usable(head, raw.url, request);
        if (response)
          return {
            ...response,
            read: (take) => connection.read(take),
            end: () => endUnlessFree(connection),
          };
        // A redirect, chunked body or the like. Later requests go straight to Node's client.
        this.#acceptsRaw = false;
        endUnlessFree(connection);
        return null;
      } catch (error) {
        endUnlessFree(connection);
        if (!(error instanceof StaleConnection)) throw error;
      }
    }
  }

  /** @returns false if the response needs Node's parser. */
  async #getRaw(request: AbortableRequest, begin: (head: ResponseStart) => BodyHandler): Promise<boolean> {
    const raw = this.#client.rawRequest(request);
    if (!raw) return false;
    this.#listen(request.signal);
    for (;;) {
      request.signal.throwIfAborted();
      const connection = this.#connectionFor(raw, false);
      try {
        return (this.#acceptsRaw = await connection.sendPipelined(raw.text, (head) => {
          const response = usable(head, raw.url, request);
          return response && begin(response);
        }));
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
      }
    }
  }

  /**
   * Small files share one signal: a new listener per request costs as much as the request itself.
   */
  #listen(signal: AbortSignal | null): void {
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  #connectionFor(raw: RawRequest, alone: boolean): PipelinedConnection {
    const blockBytes = this.#isLimited() ? throttledBlockBytes : unlimitedBlockBytes;
    if (
      (alone ? this.#connection?.isFree : this.#connection?.isOpen) &&
      this.#connection &&
      this.#blockBytes === blockBytes
    )
      return this.#connection;
    this.#connection?.close();
    [this.#connection, this.#blockBytes] = [new PipelinedConnection(raw, blockBytes), blockBytes];
    return this.#connection;
  }
}

function endUnlessFree(connection: PipelinedConnection): void {
  if (!connection.isFree) connection.close();
}

function usable({ status, headers }: ResponseHead, url: URL, request: HttpRequest): ResponseStart | null {
  if (status === 200 || status === 206 || (status === 416 && request.headers?.['range'] !== undefined))
    return { status, headers, url };
  if (status >= 400) throw statusFailure(status, headers, url.host);
  return null;
}
