import type { TransferListItem } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';

export interface WorkerClientOptions {
  /** What the thread starts with; see `workerFile`. */
  readonly file: string;
  readonly name: string;
  /**
   * Of the thread's heap, in mebibytes. A thread that grows beyond it by and by ends alone, but V8 aborts the whole process when one large allocation does
   * not fit, so the size of what a question makes must be bounded before it is asked.
   */
  readonly maxHeapMb: number;
  /** After so many milliseconds without a question it ends, with all that it holds. */
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
   * @param transfer buffers that go over to the thread.
   * @throws what went wrong there, also when the thread has ended
   */
  request(question: Question, transfer?: readonly TransferListItem[]): Promise<Answer>;
  /** Ends the thread; who still waits is refused with this reason. */
  close(reason: Error): Promise<void>;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that answers questions with `answerInThread`: it starts with the first one, and ends when nobody has asked for a while. */
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
    // It never keeps the service from ending.
    thread.unref();
    return thread;
  }

  function rest(): void {
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
        // It throws for what cannot be copied, such as lists in lists in lists; then nobody waits.
        thread.postMessage(message, transfer);
        waiting.set(id, { resolve, reject });
      });
    },
    close,
  };
}
