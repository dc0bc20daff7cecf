import { Worker } from 'node:worker_threads';
import { workerFile } from '../workers/worker-file.ts';
import type { ReportProgress } from './backup-format.ts';
import type { DataResults, DataTask, FromDataThread, ToDataThread } from './data-tasks.ts';

/**
 * A failed task. `expected` marks a message for the user; `code` is that of the system call or of
 * SQLite.
 */
export class DataTaskFailed extends Error {
  readonly expected: boolean;
  readonly code: string | null;
  /** SQLite's code behind an expected failure. */
  readonly sqlite: string | null;

  constructor({ message, expected, code, sqlite }: Extract<FromDataThread, { type: 'failed' }>) {
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
  const worker = new Worker(workerFile(import.meta.url, 'data-worker'), {
    workerData: task,
    execArgv: [],
    name: `data-${task.kind}`,
  });
  const tell = (message: ToDataThread): void => worker.postMessage(message);
  let stop: () => void = () => {};
  try {
    return await new Promise<DataResults[K]>((resolve, reject) => {
      stop = () => {
        tell('stop');
        reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      };
      signal.addEventListener('abort', stop, { once: true });
      worker.once('error', (error) => reject(error instanceof Error ? error : new Error(String(error))));
      worker.once('exit', () => reject(new Error('the thread has ended without a result')));
      worker.on('message', (message: FromDataThread) => {
        if (message.type === 'progress') Promise.resolve(report(message.progress)).then(() => tell('go'), stop);
        else if (message.type === 'done') resolve(message.result as DataResults[K]);
        else reject(new DataTaskFailed(message));
      });
    });
  } finally {
    signal.removeEventListener('abort', stop);
    // It ends by itself and must not keep the process alive.
    worker.unref();
  }
}
