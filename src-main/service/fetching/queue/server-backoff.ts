import type { FetchReason } from '../../contract/fetches.ts';

/** Why no fetch of a server is begun for a while. */
export interface Backoff {
  /** Of the clock that never jumps. */
  readonly until: number;
  readonly reason: FetchReason;
  readonly message: string;
}

const reasonsOfServers: readonly FetchReason[] = ['unreachable', 'server-busy'];

interface BackoffState extends Backoff {
  readonly failures: number;
  readonly released: boolean;
  /** Until when the server has asked for it, milliseconds since 1970; null when it has not. */
  readonly retryAfterUntil: number | null;
}

/**
 * Servers that are left alone for a while: when one cannot be reached, or asks for a pause, each of ten thousand fetches would find that out by itself.
 * The first failure counts for all that run at that time.
 */
export class ServerBackoff {
  readonly #backoffs = new Map<string, BackoffState>();

  /** Whether a reason is about the server as a whole. */
  static concernsServer(reason: FetchReason): boolean {
    return reasonsOfServers.includes(reason);
  }

  /**
   * @param wait gives milliseconds from the number of failures in a row.
   * @param now milliseconds since 1970, where the server has asked for it; else null.
   * @returns the hold that is in force then.
   */
  failed(
    baseUrl: string,
    at: number,
    reason: FetchReason,
    message: string,
    wait: (failures: number) => number,
    now: number | null,
  ): Backoff {
    const before = this.#backoffs.get(baseUrl);
    const again = before !== undefined && before.until > at;
    const failures = again ? before.failures : (before?.failures ?? 0) + 1;
    const until = at + wait(failures);
    const retryAfterUntil = now === null ? (again ? before.retryAfterUntil : null) : now + until - at;
    const backoff = {
      until: again ? Math.max(before.until, until) : until,
      reason,
      message,
      failures,
      released: false,
      retryAfterUntil,
    };
    this.#backoffs.set(baseUrl, backoff);
    return backoff;
  }

  /** A byte has come: nothing is wrong any more. */
  succeeded(baseUrl: string): void {
    this.#backoffs.delete(baseUrl);
  }

  of(baseUrl: string, at: number): Backoff | null {
    const backoff = this.#backoffs.get(baseUrl);
    return backoff && backoff.until > at ? backoff : null;
  }

  held(at: number): readonly string[] {
    return [...this.#backoffs].filter(([, backoff]) => backoff.until > at).map(([baseUrl]) => baseUrl);
  }

  /** @returns whether a server may be asked again since the last call. */
  release(at: number): boolean {
    const due = [...this.#backoffs].filter(([, backoff]) => !backoff.released && backoff.until <= at);
    // How often it has failed is kept until a byte comes.
    for (const [baseUrl, backoff] of due) this.#backoffs.set(baseUrl, { ...backoff, released: true });
    return due.length > 0;
  }

  /** The machine has slept: the network may be another one, and only what servers have asked for still counts. */
  onWake(steady: number, now: number): void {
    for (const [baseUrl, backoff] of this.#backoffs) {
      if (backoff.retryAfterUntil === null) this.#backoffs.delete(baseUrl);
      else
        this.#backoffs.set(baseUrl, {
          ...backoff,
          until: Math.min(backoff.until, steady + Math.max(0, backoff.retryAfterUntil - now)),
        });
    }
  }

  /** The user wants it now. */
  clear(): void {
    this.#backoffs.clear();
  }
}
