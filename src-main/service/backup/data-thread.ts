import { createWorkerClient } from '../workers/worker-client.ts';
import { workerFile } from '../workers/worker-file.ts';
import type { ReportProgress } from './backup-format.ts';
import type { DataCaller, DataMethods, DataResults, DataTask, TaskFailure } from './data-tasks.ts';

/**
 * A failed task. `expected` marks a message for the user; `code` is that of the system call or of
 * SQLite.
 */
export class DataTaskFailed extends Error {
  readonly expected: boolean;
  readonly code: string | null;
  /** SQLite's code behind an expected failure. */
  readonly sqlite: string | null;

  constructor({ message, expected, code, sqlite }: TaskFailure) {
    super(message);
    this.expected = expected;
    this.code = code;
    this.sqlite = sqlite;
  }
}

/**
 * Runs a task in a worker thread: copying a database is a single long blocking call, and the
 * checksums of a library take minutes of CPU time. The worker waits at each progress report until
 * `report` resolves.
 *
 * @throws DataTaskFailed, or at once the reason of `signal`: the worker then stops when it can and
 * removes its partial output.
 */
export async function onDataThread<K extends DataTask['kind']>(
  task: Extract<DataTask, { kind: K }>,
  signal: AbortSignal,
  report: ReportProgress = () => {},
): Promise<DataResults[K]> {
  signal.throwIfAborted();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const thread = createWorkerClient<DataMethods, DataCaller>(
    { file: workerFile(import.meta.url, 'data-worker'), name: `data-${task.kind}` },
    {
      report: async (progress) => {
        try {
          await report(progress);
        } catch (error) {
          failed.abort(error);
        }
      },
    },
  );
  const ended = thread.call('perform', [task, stop]).finally(() => void thread.close(new Error('its task has ended')));
  const aborted = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
  const outcome = await Promise.race([ended, aborted]);
  if ('failure' in outcome) throw new DataTaskFailed(outcome.failure);
  return outcome.result as DataResults[K];
}
