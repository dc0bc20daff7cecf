import { Worker } from 'node:worker_threads';
import { workerFile } from '../workers/worker-file.ts';
import type { ReportProgress } from './backup-format.ts';
import type { DataResults, DataTask, FromDataThread, ToDataThread } from './data-tasks.ts';

/** A task that failed; `expected` when the message is a line for the user, `code` as the system call or SQLite said. */
export class DataTaskFailed extends Error {
  readonly expected: boolean;
  readonly code: string | null;
  /** What SQLite said behind an expected failure. */
  readonly sqlite: string | null;

  constructor({ message, expected, code, sqlite }: Extract<FromDataThread, { type: 'failed' }>) {
    super(message);
    this.expected = expected;
    this.code = code;
    this.sqlite = sqlite;
  }
}

/**
 * Does a task on a thread of its own: copying a database is one call that takes as long as it takes, and checksums of a library are minutes of a
 * processor. The thread waits at each progress until `report` has answered.
 *
 * @throws DataTaskFailed, or the reason of `signal` at once: the thread then ends when it can and removes what it has begun.
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
    // It ends by itself; nothing waits for it.
    worker.unref();
  }
}
