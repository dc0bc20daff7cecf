import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { workerFile } from '../../../workers/worker-file.ts';
import type { EngineSettings, FromEngine, JournalCall, ToEngine } from './engine-messages.ts';
import type { FetchEngine, FetchOutcome, FetchPlan, FetchProgress, FetchRun, Journal } from '../types.ts';

/** Receives unexpected errors. */
export type EngineLog = Pick<Logger, 'error'>;

interface Live {
  progress: FetchProgress;
  isStopping: boolean;
  readonly outcome: PromiseWithResolvers<FetchOutcome>;
}

// A run normally stops within moments. After this time its thread is terminated; everything on disk
// is in the journal.
const stopTimeoutMs = 8000;

/** Progress before the first message of the worker. */
const initialProgress: FetchProgress = {
  phase: 'listing',
  bytesDone: 0,
  bytesVerified: 0,
  filesDone: 0,
  bytesReceived: 0,
  connections: 0,
  lastByteAt: 0,
  inFlight: [],
};

/**
 * An engine in a worker thread, which starts with the first run. Journal calls are executed in this
 * thread.
 */
export function startEngine(
  journal: Journal,
  log: EngineLog,
  { timeouts = null, inBackground = false }: Partial<EngineSettings> = {},
): FetchEngine {
  const live = new Map<number, Live>();
  let worker: Worker | null = null;
  let limits: ToEngine = { kind: 'limit', all: null, ofServers: new Map() };
  let next = 0;

  function tell(message: ToEngine): void {
    worker?.postMessage(message);
  }

  function end(run: number, outcome: FetchOutcome): void {
    live.get(run)?.outcome.resolve(outcome);
    live.delete(run);
    // An idle worker must not keep the process alive.
    if (live.size === 0) worker?.unref();
  }

  function start(): Worker {
    const settings: EngineSettings = { timeouts, inBackground };
    const thread = new Worker(workerFile(import.meta.url, 'fetch-worker'), {
      workerData: settings,
      execArgv: [],
      name: 'fetch',
    });
    const gone = (message: string): void => {
      if (worker === thread) worker = null;
      if (live.size > 0) log.error({ message }, 'the thread of fetching has ended');
      for (const [run, { isStopping }] of live)
        end(
          run,
          isStopping
            ? { kind: 'stopped' }
            : { kind: 'retry', reason: 'unexpected', message: `The fetch was interrupted: ${message}`, afterMs: null },
        );
    };
    thread.on('error', (error) => gone(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
    thread.on('exit', () => gone('its thread has ended'));
    thread.on('message', (message: FromEngine) => {
      if (message.kind === 'call') return void answer(thread, message.call, message.of);
      const one = live.get(message.run);
      if (one) one.progress = message.progress;
      if (message.kind === 'ended') end(message.run, message.outcome);
    });
    thread.postMessage(limits);
    return thread;
  }

  async function answer(thread: Worker, call: number, of: JournalCall): Promise<void> {
    try {
      const method = journal[of.method] as (...args: readonly unknown[]) => Promise<unknown>;
      thread.postMessage({ kind: 'answer', call, value: await method.apply(journal, of.args) } satisfies ToEngine);
    } catch (error) {
      log.error({ err: error, method: of.method }, 'the journal of fetching failed');
      thread.postMessage({
        kind: 'answer',
        call,
        error: error instanceof Error ? error.message : String(error),
      } satisfies ToEngine);
    }
  }

  function begin(work: 'fetch' | 'verify', plan: FetchPlan): FetchRun {
    worker ??= start();
    worker.ref();
    next += 1;
    const run = next;
    const one: Live = { progress: initialProgress, isStopping: false, outcome: Promise.withResolvers() };
    live.set(run, one);
    tell({ kind: 'run', run, work, plan });
    return { outcome: one.outcome.promise, progress: () => one.progress, stop: () => stop(run) };
  }

  function stop(run: number): void {
    const one = live.get(run);
    if (!one || one.isStopping) return;
    one.isStopping = true;
    tell({ kind: 'stop', run });
    const late = setTimeout(() => void worker?.terminate(), stopTimeoutMs);
    void one.outcome.promise.finally(() => clearTimeout(late));
  }

  return {
    run: (plan) => begin('fetch', plan),
    verify: (plan) => begin('verify', plan),
    limit: (all, ofServers) => {
      limits = { kind: 'limit', all, ofServers };
      tell(limits);
    },
    close: async () => {
      for (const run of live.keys()) stop(run);
      await Promise.all([...live.values()].map((one) => one.outcome.promise));
      await worker?.terminate();
    },
  };
}
