import type { TransferListItem } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';

export interface WorkerClientOptions {
  /** The file of the thread; see `workerFile`. */
  readonly file: string;
  readonly name: string;
  /**
   * Limit of the thread's heap, in mebibytes. A thread that grows beyond it gradually ends alone,
   * but V8 aborts the whole process when one large allocation does not fit, so the memory that a
   * request needs must be bounded before it is sent.
   */
  readonly maxHeapMb: number;
  /** The thread ends after this many milliseconds without a request, and frees all its memory. */
  readonly idleMs: number;
}

export interface WorkerRequest<Question> {
  readonly id: number;
  readonly question: Question;
}

export type WorkerReply<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failed: string };

export interface WorkerClient<Question, Answer> {
  /**
   * @param transfer buffers to transfer to the thread.
   * @throws the error of the thread, also when the thread has ended.
   */
  request(question: Question, transfer?: readonly TransferListItem[]): Promise<Answer>;
  /** Ends the thread; pending requests are rejected with this reason. */
  close(reason: Error): Promise<void>;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that answers requests with `serveWorkerRequests`: it starts with the first one, and ends
 * when it is idle.
 */
export function createWorkerClient<Question, Answer>({
  file,
  name,
  maxHeapMb,
  idleMs,
}: WorkerClientOptions): WorkerClient<Question, Answer> {
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let next = 0;
  const waiting = new Map<number, Waiting<Answer>>();

  function start(): Worker {
    const thread = new Worker(file, { execArgv: [], name, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    const gone = (error: Error): void => (worker === thread ? drop(error) : undefined);
    thread.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', () => gone(new Error(`the thread ${name} has ended`)));
    thread.on('message', (reply: WorkerReply<Answer>) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('answer' in reply) one?.resolve(reply.answer);
      else one?.reject(new Error(reply.failed));
      if (waiting.size === 0) rest();
    });
    // The thread keeps the process alive only while it has something to answer.
    thread.unref();
    return thread;
  }

  function rest(): void {
    worker?.unref();
    clearTimeout(timer);
    timer = setTimeout(
      () => void (waiting.size === 0 && close(new Error(`the thread ${name} had nothing to do`))),
      idleMs,
    ).unref();
  }

  function drop(error: Error): void {
    worker = null;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  }

  async function close(reason: Error): Promise<void> {
    clearTimeout(timer);
    const thread = worker;
    drop(reason);
    await thread?.terminate();
  }

  return {
    request: async (question, transfer = []) => {
      worker ??= start();
      const thread = worker;
      next += 1;
      const id = next;
      return new Promise((resolve, reject) => {
        const message: WorkerRequest<Question> = { id, question };
        // Throws for values that cannot be cloned, such as deeply nested lists; then no promise may
        // be left pending.
        thread.postMessage(message, transfer);
        waiting.set(id, { resolve, reject });
        thread.ref();
      });
    },
    close,
  };
}
