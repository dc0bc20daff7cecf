import type { FetchReason } from '../../contract/fetches.ts';

/** Why a server gets no new fetches for a while. */
export interface Backoff {
  /** Monotonic time. */
  readonly until: number;
  readonly reason: FetchReason;
  readonly message: string;
}

const reasonsOfServers: readonly FetchReason[] = ['unreachable', 'server-busy'];

interface BackoffState extends Backoff {
  readonly failures: number;
  readonly released: boolean;
  /** End of the server's Retry-After in milliseconds since 1970; null if it sent none. */
  readonly retryAfterUntil: number | null;
}

/**
 * Back-off per server, so that thousands of fetches do not each discover that one server is
 * unreachable or busy. Failures during a back-off count as one.
 */
export class ServerBackoff {
  readonly #backoffs = new Map<string, BackoffState>();

  /** Whether a reason concerns the server as a whole. */
  static concernsServer(reason: FetchReason): boolean {
    return reasonsOfServers.includes(reason);
  }

  /**
   * Records a failure.
   *
   * @param wait returns milliseconds for a number of consecutive failures.
   * @param now milliseconds since 1970 if the server set Retry-After, else null.
   * @returns the back-off now in force.
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

  /** Resets the back-off after a received byte. */
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

  /** @returns whether a back-off has ended since the last call */
  release(at: number): boolean {
    const due = [...this.#backoffs].filter(([, backoff]) => !backoff.released && backoff.until <= at);
    // The failure count stays until a byte is received.
    for (const [baseUrl, backoff] of due) this.#backoffs.set(baseUrl, { ...backoff, released: true });
    return due.length > 0;
  }

  /** After a sleep or a clock change: retry at once, except where the server set Retry-After. */
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

  /** Ends all back-offs at the user's request. */
  clear(): void {
    this.#backoffs.clear();
  }
}
