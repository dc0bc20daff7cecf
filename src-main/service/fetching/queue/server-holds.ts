import type { FetchReason } from '../../contract/fetches.ts';

/** Why no fetch of a server is begun for a while. */
export interface Hold {
  /** Of the clock that never jumps. */
  readonly until: number;
  readonly reason: FetchReason;
  readonly message: string;
}

const reasonsOfServers: readonly FetchReason[] = ['unreachable', 'server-busy'];

interface Kept extends Hold {
  readonly failures: number;
  readonly released: boolean;
  /** Until when the server has asked for it, milliseconds since 1970; null when it has not. */
  readonly askedUntil: number | null;
}

/**
 * Servers that are left alone for a while: when one cannot be reached, or asks for a pause, each of ten thousand fetches would find that out by itself.
 * The first failure counts for all that run at that time.
 */
export class ServerHolds {
  readonly #holds = new Map<string, Kept>();

  /** Whether a reason is about the server as a whole. */
  static isOfServer(reason: FetchReason): boolean {
    return reasonsOfServers.includes(reason);
  }

  /**
   * @param wait gives milliseconds from the number of failures in a row.
   * @param now milliseconds since 1970, where the server has asked for it; else null.
   * @returns the hold that is in force then.
   */
  failed(baseUrl: string, at: number, reason: FetchReason, message: string, wait: (failures: number) => number, now: number | null): Hold {
    const before = this.#holds.get(baseUrl);
    const again = before !== undefined && before.until > at;
    const failures = again ? before.failures : (before?.failures ?? 0) + 1;
    const until = at + wait(failures);
    const askedUntil = now === null ? (again ? before.askedUntil : null) : now + until - at;
    const hold = { until: again ? Math.max(before.until, until) : until, reason, message, failures, released: false, askedUntil };
    this.#holds.set(baseUrl, hold);
    return hold;
  }

  /** A byte has come: nothing is wrong any more. */
  succeeded(baseUrl: string): void {
    this.#holds.delete(baseUrl);
  }

  of(baseUrl: string, at: number): Hold | null {
    const hold = this.#holds.get(baseUrl);
    return hold && hold.until > at ? hold : null;
  }

  held(at: number): readonly string[] {
    return [...this.#holds].filter(([, hold]) => hold.until > at).map(([baseUrl]) => baseUrl);
  }

  /** @returns whether a server may be asked again since the last call. */
  release(at: number): boolean {
    const due = [...this.#holds].filter(([, hold]) => !hold.released && hold.until <= at);
    // How often it has failed is kept until a byte comes.
    for (const [baseUrl, hold] of due) this.#holds.set(baseUrl, { ...hold, released: true });
    return due.length > 0;
  }

  /** The machine has slept: the network may be another one, and only what servers have asked for still counts. */
  woken(steady: number, now: number): void {
    for (const [baseUrl, hold] of this.#holds) {
      if (hold.askedUntil === null) this.#holds.delete(baseUrl);
      else this.#holds.set(baseUrl, { ...hold, until: Math.min(hold.until, steady + Math.max(0, hold.askedUntil - now)) });
    }
  }

  /** The user wants it now. */
  clear(): void {
    this.#holds.clear();
  }
}
