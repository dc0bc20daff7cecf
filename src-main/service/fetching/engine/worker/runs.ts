import { createHttpClient } from '../../../http-client/http-client.ts';
import type { HttpTimeouts } from '../../../http-client/node-request.ts';
import { RunCounters, Stopped } from '../run/fetch-context.ts';
import { fetchRun } from '../run/fetch-run.ts';
import { startHasher, type Hasher } from '../checksums/incremental-hash.ts';
import type { RunWork } from './engine-messages.ts';
import { outcomeOf } from './outcome-of.ts';
import { openTarget } from '../target/target-folder.ts';
import { Throttle } from '../run/throttle.ts';
import type { FetchOutcome, FetchPlan, Journal } from '../types.ts';
import { verifyRun } from '../run/verify-run.ts';

/** A run in this thread. */
export interface LiveRun {
  readonly counters: RunCounters;
  readonly outcome: Promise<FetchOutcome>;
  readonly stop: () => void;
}

/** The rate limits and the hash worker shared by all runs of a thread. */
export class Runs {
  readonly throttle = new Throttle();
  readonly #journal: Journal;
  readonly #timeouts: HttpTimeouts | null;
  readonly #hasher: Hasher = startHasher();

  /** @param timeouts override the defaults in tests. */
  constructor(journal: Journal, timeouts: HttpTimeouts | null) {
    [this.#journal, this.#timeouts] = [journal, timeouts];
  }

  begin(work: RunWork, plan: FetchPlan): LiveRun {
    const [counters, stop] = [new RunCounters(), new AbortController()];
    return { counters, outcome: this.#perform(work, plan, counters, stop), stop: () => stop.abort(new Stopped()) };
  }

  /** Stops the hash worker. */
  async close(): Promise<void> {
    await this.#hasher.close();
  }

  async #perform(work: RunWork, plan: FetchPlan, counters: RunCounters, stop: AbortController): Promise<FetchOutcome> {
    const { baseUrl } = plan.source;
    try {
      const client = createHttpClient(plan.source, {
        connections: plan.connections,
        ...(this.#timeouts === null ? {} : { timeouts: this.#timeouts }),
      });
      const target = await openTarget(plan.target);
      const context = {
        plan,
        journal: this.#journal,
        target,
        hasher: this.#hasher,
        counters,
        client,
        signal: stop.signal,
        fail: (error: unknown) => stop.abort(error),
        throttle: (bytes: number) => this.throttle.take(baseUrl, bytes),
        rest: (ms: number, signal: AbortSignal) => this.throttle.rest(ms, signal),
        isLimited: () => this.throttle.isLimited(baseUrl),
      };
      try {
        await (work === 'fetch' ? fetchRun(context) : verifyRun(context));
        return { kind: 'done' };
      } finally {
        client.close();
        target.close();
      }
    } catch (error) {
      return outcomeOf(stop.signal.aborted ? stop.signal.reason : error);
    }
  }
}
