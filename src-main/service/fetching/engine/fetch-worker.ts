/** The thread of fetching: runs plans, asks servers, writes files. The journal lies on the other side of its messages. */
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { startAsking } from './ask.ts';
import type { EngineSettings, FromEngine, ToEngine } from './engine-messages.ts';
import { Counters, Stopped } from './fetch-context.ts';
import { fetchRun } from './fetch-run.ts';
import { startHasher } from './hash-follow.ts';
import { outcomeOf } from './outcome-of.ts';
import { RemoteJournal } from './remote-journal.ts';
import { openTarget } from './target-folder.ts';
import { Throttle } from './throttle.ts';
import type { FetchOutcome, FetchPlan } from './types.ts';
import { verifyRun } from './verify-run.ts';

const progressEvery = 200;
const port = parentPort;
if (!port) throw new Error('this file is the start of a worker thread');
const { patience, inBackground } = workerData as EngineSettings;
// On Linux a thread has a priority of its own, and what it starts, the thread of checksums here, begins with the same; elsewhere this would be about the
// whole process.
if (inBackground && process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
const journal = new RemoteJournal((call, of) => send({ kind: 'call', call, of }));
const throttle = new Throttle();
const hasher = startHasher();
const runs = new Map<number, AbortController>();

function send(message: FromEngine): void {
  port?.postMessage(message);
}

async function perform(work: 'fetch' | 'verify', plan: FetchPlan, counters: Counters, stop: AbortController): Promise<FetchOutcome> {
  try {
    const asker = startAsking(plan.source, { connections: plan.connections, ...(patience === null ? {} : { patience }) });
    const target = await openTarget(plan.target);
    const context = {
      plan,
      journal,
      target,
      hasher,
      counters,
      asker,
      signal: stop.signal,
      fail: (error: unknown) => stop.abort(error),
      throttle: (bytes: number) => throttle.take(plan.source.baseUrl, bytes),
      isLimited: () => throttle.isLimited(plan.source.baseUrl),
    };
    try {
      await (work === 'fetch' ? fetchRun(context) : verifyRun(context));
      return { kind: 'done' };
    } finally {
      asker.close();
      target.close();
    }
  } catch (error) {
    return outcomeOf(stop.signal.aborted ? stop.signal.reason : error);
  }
}

async function run(id: number, work: 'fetch' | 'verify', plan: FetchPlan): Promise<void> {
  const stop = new AbortController();
  const counters = new Counters();
  runs.set(id, stop);
  const timer = setInterval(() => send({ kind: 'progress', run: id, progress: counters.now() }), progressEvery);
  const outcome = await perform(work, plan, counters, stop);
  clearInterval(timer);
  runs.delete(id);
  send({ kind: 'ended', run: id, progress: counters.now(), outcome });
}

port.on('message', (message: ToEngine) => {
  switch (message.kind) {
    case 'run':
      return void run(message.run, message.work, message.plan);
    case 'stop':
      return runs.get(message.run)?.abort(new Stopped());
    case 'limit':
      return throttle.limit(message.all, message.ofServers);
    case 'answer':
      return journal.hear(message);
  }
});
