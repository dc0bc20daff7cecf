import { PipelinedConnection, StaleConnection } from '../http-client/pipelined-connection.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import type { HttpTimeouts } from '../http-client/node-request.ts';
import type { ResponseHead } from '../http-client/parse-response-head.ts';
import { PassingFailure, type S3Client } from './s3-client.ts';
import type { ByteRange } from '../http/semantics/byte-ranges.ts';
import type { S3Answer } from './s3-answers.ts';
import type { S3Request, SignedRequest } from './s3-signing.ts';

const maxIdle = 8;
const blockBytes = 512 * 1024;
const maxErrorBytes = 64 * 1024;

/**
 * Reads ranges of objects over connections of its own, because Node's HTTP client costs three times
 * the processor time (http-client/pipelined-connection.ts).
 */
export class S3Reader {
  readonly #client: S3Client;
  readonly #timeouts: HttpTimeouts;
  readonly #idle: PipelinedConnection[] = [];
  #closed = false;

  constructor(client: S3Client, timeouts: HttpTimeouts) {
    this.#client = client;
    this.#timeouts = timeouts;
  }

  /** Fills a buffer from a position of an object on. @throws ObjectStorageError, or the signal's reason. */
  async read(
    key: string,
    position: number,
    into: Buffer,
    signal: AbortSignal,
    onBytes: (bytes: Buffer) => void = () => {},
  ): Promise<void> {
    let filled = 0;
    while (filled < into.length)
      await this.#client.retried(signal, async () => {
        const before = filled;
        const range = { start: position + filled, end: position + into.length };
        await this.#get(key, range, signal, (bytes) => {
          const count = bytes.copy(into, filled);
          filled += count;
          onBytes(bytes.subarray(0, count));
        });
        if (filled === before) throw new PassingFailure('unreachable', 'The object storage sent no bytes.');
      });
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  async #get(key: string, range: ByteRange, signal: AbortSignal, take: (bytes: Buffer) => void): Promise<void> {
    const request = { method: 'GET', key, headers: { Range: `bytes=${range.start}-${range.end - 1}` } } as const;
    const signed = this.#client.sign(request);
    for (;;) {
      signal.throwIfAborted();
      const connection = this.#connection(signed.url);
      const abort = (): void => connection.close(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        const head = await connection.send(textOf(signed));
        if (!head) return take(await this.#unusual(request, range, signal));
        if (!isRange(head, head.length, range)) throw await this.#refusal(connection, head);
        await connection.read((bytes) => {
          take(bytes);
          return undefined;
        });
        return;
      } catch (error) {
        connection.close();
        // Terminates: each attempt removes one connection that the server had closed.
        if (!(error instanceof StaleConnection)) throw error;
      } finally {
        signal.removeEventListener('abort', abort);
        this.#keep(connection);
      }
    }
  }

  /** Asks again through Node's client, for chunks and the like. */
  async #unusual(request: S3Request, range: ByteRange, signal: AbortSignal): Promise<Buffer> {
    const answer = await this.#client.attempt(request, signal);
    if (answer.status >= 300) throw this.#client.failureOf(answer);
    if (isRange(answer, answer.body.length, range)) return answer.body;
    throw unexpected();
  }

  async #refusal(connection: PipelinedConnection, head: ResponseHead): Promise<Error> {
    if (head.status < 300 || head.length > maxErrorBytes) return unexpected();
    const parts: Buffer[] = [];
    await connection.read((bytes) => {
      parts.push(Buffer.from(bytes));
      return undefined;
    });
    return this.#client.failureOf({ status: head.status, headers: head.headers, body: Buffer.concat(parts) });
  }

  #connection(url: URL): PipelinedConnection {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (idle.isFree) return idle;
    const { ca } = this.#client.settings;
    return new PipelinedConnection({ url, certificate: null, ca, timeouts: this.#timeouts }, blockBytes);
  }

  #keep(connection: PipelinedConnection): void {
    if (connection.isFree && !this.#closed && this.#idle.length < maxIdle) this.#idle.push(connection);
    else connection.close();
  }
}

function textOf({ target, headers }: SignedRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Whether a body of this length is exactly the range that was asked for (RFC 9110 section 15.3.7). */
function isRange({ status, headers }: Pick<S3Answer, 'status' | 'headers'>, length: number, range: ByteRange): boolean {
  if (length !== range.end - range.start) return false;
  if (status === 200) return range.start === 0;
  const stated = headers['content-range'];
  return status === 206 && typeof stated === 'string' && stated.startsWith(`bytes ${range.start}-${range.end - 1}/`);
}

function unexpected(): HttpRequestError {
  return new HttpRequestError('bad-response', 'it answered with something else than the bytes that were asked for.');
}
