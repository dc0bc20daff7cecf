import type { FetchEngine, FetchRun, Journal } from '../fetching/engine/types.ts';
import type { Counters } from '../metrics/counters.ts';

/** Wraps an engine to count received bytes, results and failures of its runs. */
export function countRuns(engine: FetchEngine, counters: Counters): FetchEngine {
  function counted(run: FetchRun): FetchRun {
    let received = 0;
    const progress = () => {
      const now = run.progress();
      counters.add('fetch_bytes', [], Math.max(0, now.bytesReceived - received));
      received = Math.max(received, now.bytesReceived);
      return now;
    };
    const outcome = run.outcome.then((end) => {
      progress();
      counters.add('fetch_runs', [end.kind]);
      if ('reason' in end) counters.add('fetch_troubles', [end.reason]);
      return end;
    });
    return { outcome, progress, stop: () => run.stop() };
  }
  return {
    run: (plan) => counted(engine.run(plan)),
    verify: (plan) => engine.verify(plan),
    limit: (all, ofServers) => engine.limit(all, ofServers),
    close: async () => engine.close(),
  };
}

/** Wraps a journal to count files that restart from the beginning. */
export function countRestarts(journal: Journal, counters: Counters): Journal {
  return {
    ...journal,
    record: async (fetchId, changes) => {
      await journal.record(fetchId, changes);
      const restarts = changes.filter((change) => change.kind === 'restart' && change.counts).length;
      if (restarts > 0) counters.add('fetch_restarts', [], restarts);
    },
  };
}
