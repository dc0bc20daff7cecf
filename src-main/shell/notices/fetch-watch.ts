import type { Fetch, FetchPage } from '../../service/contract/fetches.ts';

/** How fetching stands as a whole. */
export interface FetchSummary {
  /** On their way at this moment. */
  readonly running: number;
  /** Not done yet and going on by themselves: running, queued, or waiting for a better moment. */
  readonly underWay: number;
  readonly paused: number;
  /** Waiting for a word of the user. */
  readonly asking: number;
  /** Failed since somebody last looked. */
  readonly failed: number;
  /** Of everything since nothing was left to do, by bytes, 0 to 1; null while no size is known. */
  readonly fraction: number | null;
}

const goesOn: ReadonlySet<Fetch['state']> = new Set(['queued', 'running', 'waiting']);
const begun: ReadonlySet<Fetch['state']> = new Set(['running', 'waiting', 'asking']);
const hasEnded: ReadonlySet<Fetch['state']> = new Set(['done', 'failed', 'cancelled']);
/** What came to its state longer ago was told of by an earlier run, or needs no telling any more. */
const recent = 10_000;
const maxTracked = 50;
/** More than a list has. */
const maxRememberedEnds = 1000;

/** Follows the fetches by what the service says of them, and notices when one comes to an end. */
export class FetchWatch {
  readonly #now: () => number;
  readonly #open = new Map<number, Fetch>();
  /** Those that ended well while others still ran, so that the bar of all does not jump back. */
  readonly #bytesDone = new Map<number, number>();
  readonly #failed = new Set<number>();
  /** When those that have ended did. */
  readonly #endedAt = new Map<number, string | null>();
  /** Of all, where there are more than the list has room for. */
  #counts: FetchPage['counts'] | null = null;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes note of a fetch as it is now; answers with it when it has just come to where the user would like to hear of it. */
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
    if (![...this.#open.values()].some(({ state }) => goesOn.has(state))) this.#bytesDone.clear();
    const isNews =
      fetch.state !== before?.state && (fetch.state === 'done' || fetch.state === 'failed' || fetch.state === 'asking');
    // One that asks and is heard of for the first time is new, or asked in an earlier run already.
    return isNews && (before !== undefined || fetch.state !== 'asking' || this.#isRecent(fetch.created_at))
      ? fetch
      : undefined;
  }

  /**
   * Takes the list as read from the service, which begins with all that have not ended. What is open here and not in it was removed, or has ended, or is
   * one of more than the list has room for; `missing` has the ids of those worth asking after.
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

  /** It is not there any more: it was removed from the list. */
  forget(id: number): void {
    this.#open.delete(id);
    this.#failed.delete(id);
  }

  /** Nothing is known any more. */
  clear(): void {
    this.#open.clear();
    this.#bytesDone.clear();
    this.#counts = null;
  }

  /** Somebody looks: failures are seen. */
  seen(): void {
    this.#failed.clear();
  }

  summary(): FetchSummary {
    const open = [...this.#open.values()];
    const of = (state: Fetch['state']): number => open.filter((fetch) => fetch.state === state).length;
    return {
      running: of('running'),
      underWay: this.#counts?.active ?? open.filter(({ state }) => goesOn.has(state)).length,
      paused: this.#counts?.paused ?? of('paused'),
      asking: this.#counts?.attention ?? of('asking'),
      failed: this.#failed.size,
      fraction: this.#fraction(open),
    };
  }

  #fraction(open: readonly Fetch[]): number | null {
    const sized = open.filter((fetch) => goesOn.has(fetch.state) && fetch.bytes_total !== null);
    const ended = [...this.#bytesDone.values()].reduce((sum, bytes) => sum + bytes, 0);
    const total = sized.reduce((sum, fetch) => sum + (fetch.bytes_total ?? 0), ended);
    const done = sized.reduce((sum, fetch) => sum + fetch.bytes_done, ended);
    return sized.length === 0 || total === 0 ? null : Math.min(1, done / total);
  }

  /** Whether it has ended since it was heard of last. What one event tells, the list tells again. */
  #endsNow(fetch: Fetch, before: Fetch | undefined): boolean {
    const isKnown = this.#endedAt.get(fetch.id) === fetch.ended_at;
    this.#endedAt.delete(fetch.id);
    this.#endedAt.set(fetch.id, fetch.ended_at);
    const [oldest] = this.#endedAt.keys();
    if (oldest !== undefined && this.#endedAt.size > maxRememberedEnds) this.#endedAt.delete(oldest);
    return !isKnown && (before !== undefined || this.#isRecent(fetch.ended_at));
  }

  #isRecent(time: string | null): boolean {
    return time !== null && this.#now() - Date.parse(time) < recent;
  }
}
