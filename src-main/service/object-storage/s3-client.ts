import type { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseHttpDate } from '../http/semantics/http-date.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { nodeHttp, nodeHttps, sendNodeRequest, type HttpTimeouts } from '../http-client/node-request.ts';
import { ObjectStorageError } from './object-storage.ts';
import { errorCodeOf, type S3Answer } from './s3-answers.ts';
import { signRequest, type S3Request, type SignedRequest } from './s3-signing.ts';
import type { S3Settings } from './s3-settings.ts';

/** For requests whose answer may wait until a large part is on disk. */
export const s3Timeouts: HttpTimeouts = { connectMs: 5000, idleMs: 60_000 };
const maxAttempts = 5;
/** A storage that hangs is not waited for as often as one that refuses at once. */
const maxElapsedMs = 8000;
const firstDelayMs = 100;
const maxConnections = 16;
// A list of 1000 keys has some 600 KiB.
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * Sends signed requests to one bucket and repeats those that fail in a way that may pass, with
 * growing pauses. Every connection looks the name up anew.
 */
export class S3Client {
  readonly settings: S3Settings;
  readonly #timeouts: HttpTimeouts;
  #agent: Agent | null = null;
  /** How far the storage's clock is ahead of ours, in milliseconds. */
  #aheadMs = 0;

  constructor(settings: S3Settings, timeouts: HttpTimeouts) {
    this.settings = settings;
    this.#timeouts = timeouts;
  }

  /**
   * Sends a request and reads its answer.
   *
   * @param expected further statuses that are no failure.
   * @throws ObjectStorageError, or the signal's reason.
   */
  async send(request: S3Request, signal: AbortSignal, expected: readonly number[] = []): Promise<S3Answer> {
    return this.retried(signal, async () => {
      const answer = await this.attempt(request, signal);
      if ((answer.status >= 200 && answer.status < 300) || expected.includes(answer.status)) return answer;
      throw this.failureOf(answer);
    });
  }

  /**
   * Repeats what fails in a way that may pass.
   *
   * @throws ObjectStorageError, or the signal's reason.
   */
  async retried<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    const since = performance.now();
    for (let number = 1; ; number += 1) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        const failure = this.#classified(error);
        const isLate = number >= maxAttempts || performance.now() - since > maxElapsedMs;
        if (isLate || !mayPass(failure)) throw failure;
        const delayMs = firstDelayMs * 2 ** number;
        await wait(delayMs / 2 + Math.random() * (delayMs / 2), undefined, { signal });
      }
    }
  }

  sign(request: S3Request): SignedRequest {
    return signRequest(this.settings, request, Date.now() + this.#aheadMs);
  }

  /** The failure that an answer states; a clock that differs from the storage's is corrected. */
  failureOf(answer: S3Answer): ObjectStorageError {
    const { status } = answer;
    const code = errorCodeOf(answer);
    const named = /^\w{1,60}$/.test(code) ? `${status}, ${code}` : String(status);
    const { endpoint, bucket } = this.settings;
    if (code === 'RequestTimeTooSkewed' && this.#takeClock(answer))
      return new PassingFailure('denied', `The clock differs from that of ${endpoint.host} (${named}).`);
    if (status === 401 || status === 403)
      return new ObjectStorageError(
        'denied',
        `${endpoint.host} refuses the access key for the bucket ${bucket} (${named}).`,
      );
    if (status === 404) return new ObjectStorageError('missing', `${endpoint.host} has no such object (${named}).`);
    // 501 says that it never will (RFC 9110 section 15.6.2).
    if (status === 408 || status === 429 || (status >= 500 && status !== 501))
      return new PassingFailure('unreachable', `${endpoint.host} cannot answer now (${named}).`);
    return new ObjectStorageError('bad-answer', `${endpoint.host} answered unexpectedly (${named}).`);
  }

  close(): void {
    this.#agent?.destroy();
  }

  /** Sends a request once. @throws HttpRequestError, ObjectStorageError, or the signal's reason. */
  async attempt(request: S3Request, signal: AbortSignal): Promise<S3Answer> {
    const { url, target, headers } = this.sign(request);
    this.#agent ??= agentFor(this.settings);
    const response = await sendNodeRequest(
      new URL(target, url),
      this.#agent,
      { method: request.method, headers, body: request.body, signal },
      this.#timeouts,
    );
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      await response.read((part) => {
        bytes += part.length;
        if (bytes > maxAnswerBytes) throw new ObjectStorageError('bad-answer', 'The object storage sent too much.');
        parts.push(Buffer.from(part));
        return undefined;
      });
    } finally {
      response.end();
    }
    return { status: response.status, headers: response.headers, body: Buffer.concat(parts) };
  }

  #takeClock({ headers }: S3Answer): boolean {
    const at = typeof headers['date'] === 'string' ? parseHttpDate(headers['date']) : null;
    if (at === null) return false;
    this.#aheadMs = at - Date.now();
    return true;
  }

  #classified(error: unknown): ObjectStorageError {
    if (error instanceof ObjectStorageError) return error;
    if (error instanceof HttpRequestError && error.reason === 'certificate')
      return new ObjectStorageError('denied', `The object storage is not trusted: ${error.message}`, { cause: error });
    if (error instanceof HttpRequestError)
      return new PassingFailure('unreachable', `The object storage cannot be reached: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

/** A failure after which the same request may succeed. */
export class PassingFailure extends ObjectStorageError {}

function mayPass(failure: ObjectStorageError): boolean {
  return failure instanceof PassingFailure;
}

function agentFor({ endpoint, ca }: S3Settings): Agent {
  const pool = { keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo', timeout: s3Timeouts.idleMs } as const;
  if (endpoint.protocol === 'http:') return new (nodeHttp().Agent)(pool);
  return new (nodeHttps().Agent)({ ...pool, ...(ca === null ? {} : { ca }) });
}
