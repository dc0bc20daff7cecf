import type { TransferListItem } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { RpcPeer, type Handlers, type Methods, type Remote } from './rpc.ts';
import { WorkerEndedError } from './worker-errors.ts';

export interface WorkerClientOptions {
  /** The file of the thread; see `workerFile`. */
  readonly file: string;
  readonly name: string;
  /** Called at each start of the thread, which gets the value as its `workerData`. */
  readonly workerData?: () => unknown;
  /**
   * Limit of the thread's heap, in mebibytes. A thread that grows beyond it gradually ends alone,
   * but V8 aborts the whole process when one large allocation does not fit, so the memory that a
   * request needs must be bounded before it is sent.
   */
  readonly maxHeapMb?: number;
  /** The thread ends after this many milliseconds without a call, and frees all its memory. */
  readonly idleMs?: number;
  /** An aborted call that is not settled after this many milliseconds ends the thread as hung. */
  readonly abortTimeoutMs?: number;
  /** Receives errors of methods that the thread has called; the thread gets them as well. */
  readonly onError?: (error: unknown, method: string) => void;
}

export interface WorkerClient<T extends Methods<T>> extends Remote<T> {
  /** Starts the thread before the first call, which otherwise does. */
  start(): void;
  /**
   * Ends the thread for good; later calls are rejected with this reason, and so are pending ones
   * that are not settled within `graceMs`.
   */
  close(reason: Error, graceMs?: number): Promise<void>;
}

interface Running<T extends Methods<T>, Caller extends Methods<Caller>> {
  readonly worker: Worker;
  readonly peer: RpcPeer<T, Caller>;
  /** Pending calls, and those of them that keep the process alive because they are not aborted. */
  calls: number;
  holds: number;
  onIdle: () => void;
}

/**
 * A thread that serves methods with `serveWorker`. It starts with the first call, and after it has
 * ended, by itself or because it was idle, again with the next one. The process stays alive for
 * pending calls only; notifications without a running thread are dropped.
 */
export function createWorkerClient<T extends Methods<T>, Caller extends Methods<Caller> = object>(
  { file, name, workerData, maxHeapMb, idleMs, abortTimeoutMs, onError }: WorkerClientOptions,
  handlers: Handlers<Caller>,
): WorkerClient<T> {
  let running: Running<T, Caller> | null = null;
  let closed: Error | null = null;
  let idle: NodeJS.Timeout | undefined;

  function start(): Running<T, Caller> {
    const worker = new Worker(file, {
      execArgv: [],
      name,
      ...(workerData && { workerData: workerData() }),
      ...(maxHeapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
    });
    const post = (message: unknown, transfer?: readonly TransferListItem[]): void =>
      worker.postMessage(message, transfer);
    const one = { worker, peer: new RpcPeer<T, Caller>({ post, handlers, onError }), calls: 0, holds: 0, onIdle() {} };
    worker.on('message', one.peer.receive);
    worker.on('error', (error) => drop(one, new WorkerEndedError(name, error)));
    worker.on('exit', () => drop(one, new WorkerEndedError(name)));
    worker.unref();
    return one;
  }

  function drop(one: Running<T, Caller>, error: Error): void {
    if (running === one) running = null;
    one.peer.end(error);
  }

  async function end(one: Running<T, Caller>, error: Error): Promise<void> {
    drop(one, error);
    await one.worker.terminate();
  }

  function rest(one: Running<T, Caller>): void {
    one.onIdle();
    if (idleMs === undefined || running !== one) return;
    clearTimeout(idle);
    idle = setTimeout(() => void end(one, new WorkerEndedError(name)), idleMs).unref();
  }

  return {
    start: () => {
      if (closed === null) running ??= start();
    },
    call: async (method, args, transfer) => {
      if (closed) throw closed;
      const one = (running ??= start());
      clearTimeout(idle);
      const release = hold(one);
      let hung: NodeJS.Timeout | undefined;
      one.calls += 1;
      try {
        return await one.peer.call(method, args, transfer, () => {
          release();
          const error = new WorkerEndedError(name, new Error('it did not stop in time'));
          if (abortTimeoutMs !== undefined) hung = setTimeout(() => void end(one, error), abortTimeoutMs);
        });
      } finally {
        clearTimeout(hung);
        release();
        one.calls -= 1;
        if (one.calls === 0) rest(one);
      }
    },
    notify: (method, args) => running?.peer.notify(method, args),
    close: async (reason, graceMs = 0) => {
      closed ??= reason;
      clearTimeout(idle);
      const one = running;
      if (one === null) return;
      if (graceMs > 0 && one.calls > 0) {
        await new Promise<void>((resolve) => {
          one.onIdle = resolve;
          setTimeout(resolve, graceMs).unref();
        });
      }
      await end(one, reason);
    },
  };
}

/** Keeps the process alive until the returned function is called. */
function hold(one: Pick<Running<object, object>, 'worker' | 'holds'>): () => void {
  let isHeld = true;
  one.holds += 1;
  one.worker.ref();
  return () => {
    if (isHeld) one.holds -= 1;
    isHeld = false;
    if (one.holds === 0) one.worker.unref();
  };
}
