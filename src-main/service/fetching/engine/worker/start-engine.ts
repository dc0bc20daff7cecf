import type { Logger } from 'pino';
import { createWorkerClient } from '../../../workers/worker-client.ts';
import { WorkerEndedError } from '../../../workers/worker-errors.ts';
import { workerFile } from '../../../workers/worker-file.ts';
import type { EngineCaller, EngineLimits, EngineMethods, EngineSettings, RunWork } from './engine-messages.ts';
import { servedJournal } from './remote-journal.ts';
import type { FetchEngine, FetchOutcome, FetchPlan, FetchProgress, FetchRun, Journal } from '../types.ts';

/** Receives unexpected errors. */
export type EngineLog = Pick<Logger, 'error'>;

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
  const live = new Map<number, { progress: FetchProgress }>();
  const closing = new AbortController();
  let limits: EngineLimits = [null, new Map()];
  let next = 0;
  const thread = createWorkerClient<EngineMethods, EngineCaller>(
    {
      file: workerFile(import.meta.url, 'fetch-worker'),
      name: 'fetch',
      workerData: () => ({ timeouts, inBackground, limits }) satisfies EngineSettings,
      abortTimeoutMs: stopTimeoutMs,
      onError: (error, method) => log.error({ err: error, method }, 'the journal of fetching failed'),
    },
    {
      ...servedJournal(journal),
      progress: (run, progress) => {
        const one = live.get(run);
        if (one) one.progress = progress;
      },
    },
  );

  async function perform(run: number, work: RunWork, plan: FetchPlan, signal: AbortSignal): Promise<FetchOutcome> {
    try {
      const { outcome, progress } = await thread.call('run', [run, work, plan, signal]);
      const one = live.get(run);
      if (one) one.progress = progress;
      return outcome;
    } catch (error) {
      if (error instanceof WorkerEndedError) log.error({ err: error }, 'the thread of fetching has ended');
      return signal.aborted ? { kind: 'stopped' } : interrupted(error);
    } finally {
      live.delete(run);
    }
  }

  function begin(work: RunWork, plan: FetchPlan): FetchRun {
    next += 1;
    const one = { progress: initialProgress };
    live.set(next, one);
    const stop = new AbortController();
    const outcome = perform(next, work, plan, AbortSignal.any([stop.signal, closing.signal]));
    return { outcome, progress: () => one.progress, stop: () => stop.abort() };
  }

  return {
    run: (plan) => begin('fetch', plan),
    verify: (plan) => begin('verify', plan),
    limit: (...now) => {
      limits = now;
      thread.notify('limit', limits);
    },
    close: async () => {
      closing.abort();
      await thread.close(new Error('the service ends'), stopTimeoutMs);
    },
  };
}

function interrupted(error: unknown): FetchOutcome {
  const cause = error instanceof WorkerEndedError ? error.cause : error;
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : 'its thread has ended';
  return { kind: 'retry', reason: 'unexpected', message: `The fetch was interrupted: ${why}`, afterMs: null };
}
