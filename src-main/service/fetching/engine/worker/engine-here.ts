import type { RunWork } from './engine-messages.ts';
import { Runs, type LiveRun } from './runs.ts';
import type { FetchEngine, FetchPlan, FetchRun, Journal } from '../types.ts';

/**
 * An engine in the calling thread, for a process that does nothing else: starting a worker takes as
 * long as some hundred small files.
 */
export function engineHere(journal: Journal): FetchEngine {
  const runs = new Runs(journal, null);
  const live = new Set<LiveRun>();

  function begin(work: RunWork, plan: FetchPlan): FetchRun {
    const one = runs.begin(work, plan);
    live.add(one);
    void one.outcome.then(() => live.delete(one));
    return { outcome: one.outcome, progress: () => one.counters.now(), stop: one.stop };
  }

  return {
    run: (plan) => begin('fetch', plan),
    verify: (plan) => begin('verify', plan),
    limit: (all, ofServers) => runs.throttle.limit(all, ofServers),
    close: async () => {
      for (const one of live) one.stop();
      await Promise.all([...live].map((one) => one.outcome));
      await runs.close();
    },
  };
}
