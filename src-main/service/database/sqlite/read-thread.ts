import { HttpProblem } from '../../common/problem.ts';
import { createWorkerClient } from '../../workers/worker-client.ts';
import { workerFile } from '../../workers/worker-file.ts';

/** The methods of the worker. */
export interface ReadMethods {
  /**
   * @param sql one statement that only reads.
   * @param firstColumn whether the value of the first column stands for each row.
   */
  all(sql: string, firstColumn: boolean, values: readonly unknown[]): readonly unknown[];
}

export interface ReadThread {
  /** @throws HttpProblem 503 while too many wait. */
  all: (...args: Parameters<ReadMethods['all']>) => Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const idleMs = 60_000;
/** Each takes up to some 40 ms, one after the other. */
const maxWaiting = 64;

/**
 * Reads a SQLite file in a worker thread, over a connection of its own that sees all that is
 * committed. For statements whose duration no limit bounds, such as intersecting the rows of
 * frequent trigrams.
 */
export function createReadThread(file: string): ReadThread {
  const thread = createWorkerClient<ReadMethods>(
    { file: workerFile(import.meta.url, 'read-worker'), name: 'database-reads', workerData: () => file, idleMs },
    {},
  );
  let waiting = 0;
  return {
    all: async (...args) => {
      if (waiting >= maxWaiting) throw busy();
      waiting += 1;
      try {
        return await thread.call('all', args);
      } finally {
        waiting -= 1;
      }
    },
    close: async () => thread.close(new HttpProblem(503, 'The service is stopping.')),
  };
}

function busy(): HttpProblem {
  return new HttpProblem(503, 'Too many searches are running. Try again in a few seconds.', {
    type: 'busy',
    headers: { 'retry-after': '3' },
  });
}
