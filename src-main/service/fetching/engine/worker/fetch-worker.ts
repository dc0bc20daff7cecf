/** Worker thread that runs fetch plans. Calls of the journal are answered by the parent thread. */
import { workerData } from 'node:worker_threads';
import { serveWorker } from '../../../workers/worker-server.ts';
import type { EngineCaller, EngineMethods, EngineSettings } from './engine-messages.ts';
import { lowerThreadPriority } from './lower-priority.ts';
import { remoteJournal } from './remote-journal.ts';
import { Runs } from './runs.ts';

const progressEveryMs = 200;
const { timeouts, inBackground, limits } = workerData as EngineSettings;
if (inBackground) lowerThreadPriority();

const caller = serveWorker<EngineMethods, EngineCaller>({
  run: async (id, work, plan, signal) => {
    const run = runs.begin(work, plan);
    signal.addEventListener('abort', run.stop, { once: true });
    const timer = setInterval(() => caller.notify('progress', [id, run.counters.now()]), progressEveryMs);
    const outcome = await run.outcome;
    clearInterval(timer);
    return { outcome, progress: run.counters.now() };
  },
  limit: (...now) => runs.throttle.limit(...now),
});
const runs = new Runs(remoteJournal(caller), timeouts);
runs.throttle.limit(...limits);
