import { createWorkerClient, type WorkerClient } from '../../workers/worker-client.ts';
import { workerFile } from '../../workers/worker-file.ts';
import type { ScanMethods, ScanState } from './scan-messages.ts';

/** The folder of a rule did not answer in time. */
export class FolderHung extends Error {
  constructor() {
    super('The folder does not answer. Its disk or its server may be gone; it is read again as soon as it answers.');
  }
}

export interface ScanThread {
  readonly client: Pick<WorkerClient<ScanMethods>, 'call' | 'close'>;
  readonly progress: Int32Array;
}

const defaultHungAfterMs = 15_000;
const maxHeapMb = 512;
// Watched folders are read every few seconds; a thread for each time would cost more than it frees.
const idleMs = 600_000;

/**
 * The thread that reads watched folders. A rule whose folder hangs keeps the thread that hangs with
 * it, and the others get a new one, so there are never more threads than hung rules and one.
 */
export class ScanThreads {
  readonly #hungAfterMs: number;
  readonly #start: () => ScanThread;
  readonly #hung = new Map<number, ScanThread>();
  #current: ScanThread | null = null;

  constructor(hungAfterMs = defaultHungAfterMs, start: () => ScanThread = startThread) {
    this.#hungAfterMs = hungAfterMs;
    this.#start = start;
  }

  /** @throws FolderHung when the folder of the rule does not answer, now or since an earlier call. */
  async call<Method extends keyof ScanMethods>(
    ruleId: number,
    method: Method,
    args: Parameters<ScanMethods[Method]>,
  ): Promise<Awaited<ReturnType<ScanMethods[Method]>>> {
    if (this.#hung.has(ruleId)) throw new FolderHung();
    const thread = (this.#current ??= this.#start());
    const answer = thread.client.call(method, args) as Promise<Awaited<ReturnType<ScanMethods[Method]>>>;
    return this.#whileItMoves(ruleId, thread, answer);
  }

  async #whileItMoves<T>(ruleId: number, thread: ScanThread, answer: Promise<T>): Promise<T> {
    const { promise: hung, reject } = Promise.withResolvers<never>();
    let last = Atomics.load(thread.progress, 0);
    const looking = setInterval(() => {
      const now = Atomics.load(thread.progress, 0);
      if (now !== last) {
        last = now;
        return;
      }
      this.#leave(ruleId, thread, answer);
      reject(new FolderHung());
    }, this.#hungAfterMs);
    looking.unref();
    try {
      return await Promise.race([answer, hung]);
    } finally {
      clearInterval(looking);
    }
  }

  /** The thread cannot be ended while a system call holds it; it is when that returns. */
  #leave(ruleId: number, thread: ScanThread, answer: Promise<unknown>): void {
    if (this.#current === thread) this.#current = null;
    this.#hung.set(ruleId, thread);
    const end = (): void => {
      this.#hung.delete(ruleId);
      void thread.client.close(new FolderHung());
    };
    answer.then(end, end);
  }

  async close(): Promise<void> {
    const thread = this.#current;
    this.#current = null;
    await thread?.client.close(new Error('stopped'));
    for (const one of this.#hung.values()) void one.client.close(new Error('stopped'));
  }
}

function startThread(): ScanThread {
  const progress = new SharedArrayBuffer(4);
  const client = createWorkerClient<ScanMethods>(
    {
      file: workerFile(import.meta.url, 'scan-worker'),
      name: 'scan',
      workerData: () => ({ progress }) satisfies ScanState,
      maxHeapMb,
      idleMs,
    },
    {},
  );
  return { client, progress: new Int32Array(progress) };
}
