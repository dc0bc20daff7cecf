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
  all: (...args: Parameters<ReadMethods['all']>) => Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const idleMs = 60_000;

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
  return {
    all: async (...args) => thread.call('all', args),
    close: async () => thread.close(new HttpProblem(503, 'The service is stopping.')),
  };
}
