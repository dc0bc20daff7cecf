import type { Fetch, FetchPage } from '../../service/contract/fetches.ts';

/** Summary of all fetches. */
export interface FetchSummary {
  /** Currently transferring. */
  readonly running: number;
  /** Not done and continuing without the user: running, queued, or waiting. */
  readonly underWay: number;
  readonly paused: number;
  /** Waiting for a decision of the user. */
  readonly asking: number;
  /** Failed since the user last looked. */
  readonly failed: number;
  /**
   * Done part of all fetches since the list was last idle, by bytes, 0 to 1; null while no size is
   * known.
   */
  readonly fraction: number | null;
}

const active: ReadonlySet<Fetch['state']> = new Set(['queued', 'running', 'waiting']);
const begun: ReadonlySet<Fetch['state']> = new Set(['running', 'waiting', 'asking']);
const hasEnded: ReadonlySet<Fetch['state']> = new Set(['done', 'failed', 'cancelled']);
/** Milliseconds. A change older than this was reported by an earlier run, or is no longer news. */
const recentMs = 10_000;
const maxTracked = 50;
/** More than a page of the list has. */
const maxRememberedEnds = 1000;

/** Tracks the fetches that the service reports and detects when one ends. */
export class FetchWatch {
  readonly #now: () => number;
  readonly #open = new Map<number, Fetch>();
  /**
   * Bytes of fetches that finished while others still ran, so that the overall progress does not
   * drop.
   */
  readonly #bytesDone = new Map<number, number>();
  readonly #failed = new Set<number>();
  /** `ended_at` of the fetches that were seen to end, oldest first. */
  readonly #endedAt = new Map<number, string | null>();
  /** Counts over all fetches, if there are more than the page holds. */
  #counts: FetchPage['counts'] | null = null;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Records the current state of a fetch.
   * @returns the fetch if this change is worth a notification.
   */
  observe(fetch: Fetch): Fetch | undefined {
    const before = this.#open.get(fetch.id);
    if (hasEnded.has(fetch.state)) {
      this.#open.delete(fetch.id);
      if (fetch.state === 'done' && before) this.#bytesDone.set(fetch.id, fetch.bytes_done);
      if (!this.#endsNow(fetch, before)) return undefined;
      if (fetch.state === 'failed') this.#failed.add(fetch.id);
    } else {
      this.#open.set(fetch.id, fetch);
      this.#failed.delete(fetch.id);
    }
    if (![...this.#open.values()].some(({ state }) => active.has(state))) this.#bytesDone.clear();
    const isNews =
      fetch.state !== before?.state && (fetch.state === 'done' || fetch.state === 'failed' || fetch.state === 'asking');
    // A fetch first seen in state `asking` is either new, or asked in an earlier run already.
    return isNews && (before !== undefined || fetch.state !== 'asking' || this.#isRecent(fetch.created_at))
      ? fetch
      : undefined;
  }

  /**
   * Takes the list as read from the service, which begins with all fetches that have not ended. An
   * open fetch that is not listed was removed, has ended, or did not fit on the page; `missing` has
   * the ids worth requesting singly.
   */
  replace(page: FetchPage): { readonly news: readonly Fetch[]; readonly missing: readonly number[] } {
    const listed = new Set(page.items.map(({ id }) => id));
    const unlisted = [...this.#open.values()].filter(({ id }) => !listed.has(id));
    const isWhole = page.total <= page.items.length;
    const missing = unlisted.filter(({ state }) => isWhole || begun.has(state)).slice(0, maxTracked);
    for (const { id } of unlisted) if (!missing.some((one) => one.id === id)) this.#open.delete(id);
    this.#counts = isWhole ? null : page.counts;
    return { news: page.items.flatMap((fetch) => this.observe(fetch) ?? []), missing: missing.map(({ id }) => id) };
  }

  /** Drops a fetch that was removed from the list. */
  forget(id: number): void {
    this.#open.delete(id);
    this.#failed.delete(id);
  }

  /** Drops all state. */
  clear(): void {
    this.#open.clear();
    this.#bytesDone.clear();
    this.#counts = null;
  }

  /** Call when the user looks at the window: failures count as seen. */
  seen(): void {
    this.#failed.clear();
  }

  summary(): FetchSummary {
    const open = [...this.#open.values()];
    const of = (state: Fetch['state']): number => open.filter((fetch) => fetch.state === state).length;
    return {
      running: of('running'),
      underWay: this.#counts?.active ?? open.filter(({ state }) => active.has(state)).length,
      paused: this.#counts?.paused ?? of('paused'),
      asking: this.#counts?.attention ?? of('asking'),
      failed: this.#failed.size,
      fraction: this.#fraction(open),
    };
  }

  #fraction(open: readonly Fetch[]): number | null {
    const sized = open.filter((fetch) => active.has(fetch.state) && fetch.bytes_total !== null);
    const ended = [...this.#bytesDone.values()].reduce((sum, bytes) => sum + bytes, 0);
    const total = sized.reduce((sum, fetch) => sum + (fetch.bytes_total ?? 0), ended);
    const done = sized.reduce((sum, fetch) => sum + fetch.bytes_done, ended);
    return sized.length === 0 || total === 0 ? null : Math.min(1, done / total);
  }

  /**
   * Whether the fetch ended since it was last observed. An event and the list report the same end
   * twice.
   */
  #endsNow(fetch: Fetch, before: Fetch | undefined): boolean {
    const isKnown = this.#endedAt.get(fetch.id) === fetch.ended_at;
    this.#endedAt.delete(fetch.id);
    this.#endedAt.set(fetch.id, fetch.ended_at);
    const [oldest] = this.#endedAt.keys();
    if (oldest !== undefined && this.#endedAt.size > maxRememberedEnds) this.#endedAt.delete(oldest);
    return !isKnown && (before !== undefined || this.#isRecent(fetch.ended_at));
  }

  #isRecent(time: string | null): boolean {
    return time !== null && this.#now() - Date.parse(time) < recentMs;
  }
}
