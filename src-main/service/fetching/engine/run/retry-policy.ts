import { setTimeout as sleep } from 'node:timers/promises';
import { HttpRequestError } from '../../../http-client/http-request-error.ts';
import { FileFailure, type FetchContext } from './fetch-context.ts';
import { TargetError } from '../../../files/target-folder-error.ts';
import type { JournalFile } from '../types.ts';

/** The decision about a file after an error. */
export type RetryDecision =
  | 'again'
  /** Retry with fewer connections. */
  | 'fewer'
  /** Retry in the next run. */
  | 'later'
  | FileFailure;

const maxConsecutiveFailures = 5;
const maxFailuresPerFile = 3;
const firstPauseMs = 100;
/** This many bytes received since the last failure reset the failure count. */
const bytesThatResetFailures = 256 * 1024;

/** Counts errors and decides between a retry and giving up. */
export class RetryPolicy {
  readonly #context: FetchContext;
  readonly #failuresByFile = new Map<number, number>();
  #consecutiveFailures = 0;
  #since = 0;
  #countsAgainAt = 0;
  /** The last error of a file left for the next run. */
  lastError: HttpRequestError | null = null;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  /** Resets the counts after a successful request. */
  succeeded(index: number): void {
    [this.#consecutiveFailures, this.#countsAgainAt] = [0, 0];
    this.#since = this.#context.counters.bytesReceived;
    this.#failuresByFile.delete(index);
  }

  /** @throws an error that ends the whole run */
  async decide(file: JournalFile, error: unknown, connections: number): Promise<RetryDecision> {
    const { counters, signal, journal, plan } = this.#context;
    signal.throwIfAborted();
    if (error instanceof FileFailure) return error;
    if (error instanceof TargetError && error.onlyThisFile) return new FileFailure(error.reason, error.message);
    if (!(error instanceof HttpRequestError)) throw error;
    const ends = ['token-refused', 'no-access', 'certificate', 'redirected'];
    if (ends.includes(error.reason)) throw error;
    if (error.reason === 'not-found' || error.reason === 'file-changed')
      return new FileFailure(error.reason, error.message);
    if (error.reason === 'server-busy' && connections > 1) return 'fewer';
    if (error.reason === 'server-busy') throw error;
    await journal.log(plan.id, 'warn', `${file.path}: ${error.message}`);
    if (counters.bytesReceived - this.#since >= bytesThatResetFailures) this.succeeded(file.index);
    const decision = this.#isNewFailure() ? this.#count(file, error) : 'again';
    if (decision === 'again') await sleep(this.#pause, undefined, { signal });
    return decision;
  }

  get #pause(): number {
    return firstPauseMs * 2 ** this.#consecutiveFailures;
  }

  /** A fault that drops all connections at once counts once. */
  #isNewFailure(): boolean {
    const now = performance.now();
    if (now < this.#countsAgainAt) return false;
    this.#consecutiveFailures += 1;
    this.#countsAgainAt = now + this.#pause;
    return true;
  }

  #count(file: JournalFile, error: HttpRequestError): RetryDecision {
    if (this.#consecutiveFailures >= maxConsecutiveFailures) throw error;
    const count = (this.#failuresByFile.get(file.index) ?? 0) + 1;
    this.#failuresByFile.set(file.index, count);
    if (count >= maxFailuresPerFile) {
      if (error.reason === 'bad-answer') return new FileFailure(error.reason, error.message);
      this.lastError = error;
      return 'later';
    }
    return 'again';
  }
}
