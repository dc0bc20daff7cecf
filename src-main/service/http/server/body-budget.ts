import type { IncomingMessage } from 'node:http';
import { networkOf } from '../network-of.ts';
import { HttpProblem } from '../../common/problem.ts';

/** Limits, in bytes, of request bodies that are still arriving. */
export interface BodyBudgetSettings {
  /** Of all clients together. */
  readonly total: number;
  /** Of routes without a credential, so that the rest stays available to the others. */
  readonly anonymous: number;
  /** Of one client: an IPv4 address, or an IPv6 network. */
  readonly perClient: number;
}

const mebibyte = 1024 * 1024;

const defaultBodyBudget: BodyBudgetSettings = {
  total: 32 * mebibyte,
  anonymous: 16 * mebibyte,
  perClient: 4 * mebibyte,
};

/** Overhead in Node's memory for each chunk of a body, rounded up; see chunk-limit.ts. */
const bytesPerChunk = 200;
const retrySeconds = 5;

/**
 * Counts the memory of all request bodies that are still arriving. Bodies of the error collector
 * and source maps have separate budgets, because they are far larger.
 */
export class BodyBudget {
  readonly #settings: BodyBudgetSettings;
  readonly #clients = new Map<string, number>();
  #total = 0;
  #anonymous = 0;

  constructor(settings: BodyBudgetSettings = defaultBodyBudget) {
    this.#settings = settings;
  }

  /** Bytes that are counted now. */
  get held(): number {
    return this.#total;
  }

  /**
   * Counts a body until it has been received, and fails its reader with a 503 beyond the budget.
   *
   * @param address of the client.
   * @returns a function to call with the length of each chunk.
   */
  watch(body: IncomingMessage, address: string, isAnonymous: boolean): (bytes: number) => void {
    const client = networkOf(address);
    let own = 0;
    let over = false;
    const release = (): void => {
      over = true;
      this.#add(client, isAnonymous, -own);
      own = 0;
    };
    // A stream closes itself as soon as it has ended.
    body.on('close', release);
    return (length) => {
      if (over) return;
      const bytes = length + bytesPerChunk;
      own += bytes;
      this.#add(client, isAnonymous, bytes);
      if (!this.#isOver(client, isAnonymous)) return;
      release();
      refuse(body);
    };
  }

  #isOver(client: string, isAnonymous: boolean): boolean {
    const { total, anonymous, perClient } = this.#settings;
    return (
      this.#total > total ||
      (isAnonymous && this.#anonymous > anonymous) ||
      (this.#clients.get(client) ?? 0) > perClient
    );
  }

  #add(client: string, isAnonymous: boolean, bytes: number): void {
    this.#total += bytes;
    if (isAnonymous) this.#anonymous += bytes;
    const left = (this.#clients.get(client) ?? 0) + bytes;
    if (left > 0) this.#clients.set(client, left);
    else this.#clients.delete(client);
  }
}

/**
 * Emits the error to the reader of the body, which answers and closes the connection; destroying
 * the stream would cut the connection first.
 */
function refuse(body: IncomingMessage): void {
  const problem = new HttpProblem(503, 'The server is receiving as many requests as it can. Try again in a moment.', {
    type: 'busy',
    headers: { 'retry-after': String(retrySeconds) },
  });
  if (body.listenerCount('error') > 0) body.emit('error', problem);
  else body.destroy(problem);
}
