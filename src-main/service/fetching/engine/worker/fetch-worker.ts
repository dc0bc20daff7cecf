/** Worker thread that runs fetch plans. Calls of the journal are messages to the parent thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { EngineSettings, FromEngine, ToEngine } from './engine-messages.ts';
import { lowerThreadPriority } from './lower-priority.ts';
import { RemoteJournal } from './remote-journal.ts';
import { Runs, type LiveRun, type RunWork } from './runs.ts';
import type { FetchPlan } from '../types.ts';

const progressEveryMs = 200;
const port = parentPort;
if (!port) throw new Error('this file is the start of a worker thread');
const { timeouts, inBackground } = workerData as EngineSettings;
if (inBackground) lowerThreadPriority();
const journal = new RemoteJournal((call, of) => send({ kind: 'call', call, of }));
const runs = new Runs(journal, timeouts);
const live = new Map<number, LiveRun>();

function send(message: FromEngine): void {
  port?.postMessage(message);
}

async function run(id: number, work: RunWork, plan: FetchPlan): Promise<void> {
  const one = runs.begin(work, plan);
  live.set(id, one);
  const timer = setInterval(() => send({ kind: 'progress', run: id, progress: one.counters.now() }), progressEveryMs);
  const outcome = await one.outcome;
  clearInterval(timer);
  live.delete(id);
  send({ kind: 'ended', run: id, progress: one.counters.now(), outcome });
}

port.on('message', (message: ToEngine) => {
  switch (message.kind) {
    case 'run':
      return void run(message.run, message.work, message.plan);
    case 'stop':
      return live.get(message.run)?.stop();
    case 'limit':
      return runs.throttle.limit(message.all, message.ofServers);
    case 'answer':
      return journal.onReply(message);
  }
});
