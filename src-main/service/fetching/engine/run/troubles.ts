import { setTimeout as sleep } from 'node:timers/promises';
import { AskError } from '../http/ask-error.ts';
import { FileFailure, type FetchContext } from './fetch-context.ts';
import { TargetError } from '../../../files/target-folder-error.ts';
import type { JournalFile } from '../types.ts';

/** What is to become of a file after trouble. */
export type Verdict =
  | 'again'
  /** With fewer connections. */
  | 'fewer'
  /** In the next run. */
  | 'later'
  | FileFailure;

const mostInARow = 5;
const mostOfFile = 3;
const firstPause = 100;
/** So much in between makes trouble a new one. */
const worthIt = 256 * 1024;

/** Keeps account of what goes wrong, and decides when it is too much. */
export class Troubles {
  readonly #context: FetchContext;
  readonly #ofFiles = new Map<number, number>();
  #inARow = 0;
  #since = 0;
  #countsAgainAt = 0;
  /** Of files that were left for the next run. */
  last: AskError | null = null;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  /** A request went well. */
  over(index: number): void {
    [this.#inARow, this.#countsAgainAt] = [0, 0];
    this.#since = this.#context.counters.bytesReceived;
    this.#ofFiles.delete(index);
  }

  /** @throws what ends the whole run */
  async judge(file: JournalFile, error: unknown, lanes: number): Promise<Verdict> {
    const { counters, signal, journal, plan } = this.#context;
    signal.throwIfAborted();
    if (error instanceof FileFailure) return error;
    if (error instanceof TargetError && error.onlyThisFile) return new FileFailure(error.reason, error.message);
    if (!(error instanceof AskError)) throw error;
    const ends = ['token-refused', 'no-access', 'certificate', 'redirected'];
    if (ends.includes(error.reason)) throw error;
    if (error.reason === 'not-found' || error.reason === 'file-changed') return new FileFailure(error.reason, error.message);
    if (error.reason === 'server-busy' && lanes > 1) return 'fewer';
    if (error.reason === 'server-busy') throw error;
    await journal.log(plan.id, 'warn', `${file.path}: ${error.message}`);
    if (counters.bytesReceived - this.#since >= worthIt) this.over(file.index);
    const verdict = this.#isAnother() ? this.#count(file, error) : 'again';
    if (verdict === 'again') await sleep(this.#pause, undefined, { signal });
    return verdict;
  }

  get #pause(): number {
    return firstPause * 2 ** this.#inARow;
  }

  /** What ends all connections at once is one trouble, not as many as there are connections. */
  #isAnother(): boolean {
    const now = performance.now();
    if (now < this.#countsAgainAt) return false;
    this.#inARow += 1;
    this.#countsAgainAt = now + this.#pause;
    return true;
  }

  #count(file: JournalFile, error: AskError): Verdict {
    if (this.#inARow >= mostInARow) throw error;
    const count = (this.#ofFiles.get(file.index) ?? 0) + 1;
    this.#ofFiles.set(file.index, count);
    if (count >= mostOfFile) {
      if (error.reason === 'bad-answer') return new FileFailure(error.reason, error.message);
      this.last = error;
      return 'later';
    }
    return 'again';
  }
}
