import { Worker } from 'node:worker_threads';
import { workerFile } from '../../workers/worker-file.ts';
import {
  abortWord,
  bytesWord,
  type FileOutcome,
  type ListSummary,
  type ThreadReply,
  type ThreadRequest,
} from '../../files/hash-messages.ts';
import type { ListedFile } from '../../files/inspect-findings.ts';

export interface HashThread {
  /**
   * Lists a folder, a file or an archive. `onFiles` receives batches of files in manifest order,
   * unless the list matches the `known` digest of the request.
   */
  list(
    request: Extract<ThreadRequest, { op: 'list' }>,
    onFiles: (files: readonly ListedFile[]) => Promise<void>,
  ): Promise<ListSummary>;
  /**
   * Hashes, imports or copies files. Returns one outcome per file in any order, and fewer when the
   * disk is full.
   */
  run(request: Exclude<ThreadRequest, { op: 'list' }>): Promise<readonly FileOutcome[]>;
  /** Bytes read since the thread was started. */
  bytes(): number;
  /** Aborts running work and terminates the thread. */
  close(): Promise<void>;
}

/** The thread reported that a request failed as a whole. */
export class ThreadError extends Error {
  readonly code: string;

  constructor(reason: string, code: string) {
    super(reason);
    this.code = code;
  }
}

interface Waiting {
  resolve: (reply: ThreadReply) => void;
  reject: (error: Error) => void;
  readonly files: ((files: readonly ListedFile[]) => void) | null;
}

/**
 * Starts the thread that reads files. When `signal` is aborted, pending requests reject with its
 * reason.
 */
export function startHashThread(signal?: AbortSignal): HashThread {
  const control = new SharedArrayBuffer(16);
  const words = new Int32Array(control, 0, 2);
  const counters = new BigInt64Array(control);
  const worker = new Worker(workerFile(import.meta.url, 'hash-worker'), {
    workerData: { control },
    execArgv: [],
    name: 'hash',
  });
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let gone: Error | null = null;

  const abort = () => {
    Atomics.store(words, abortWord, 1);
    Atomics.notify(words, abortWord);
    // The thread may be waiting for the request to send more files.
    worker.postMessage({ more: true });
  };
  const fail = (error: Error) => {
    gone ??= error;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('the thread that reads files has ended')));
  worker.on('message', (reply: ThreadReply) => {
    const one = waiting.get(reply.id);
    if (reply.type === 'files') return one?.files?.(reply.files);
    waiting.delete(reply.id);
    if (reply.type !== 'failed') return one?.resolve(reply);
    return one?.reject(reply.aborted ? reasonOf(signal) : new ThreadError(reply.reason, reply.code));
  });

  async function sendRequest(request: ThreadRequest, files: Waiting['files']): Promise<ThreadReply> {
    if (gone) throw gone;
    next += 1;
    const id = next;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, files });
      worker.postMessage({ id, request });
    });
  }

  return {
    list: async (request, onFiles) => {
      // Batches are stored one after the other, and the event loop can do other work in between.
      let writing: Promise<void> = Promise.resolve();
      const reply = await sendRequest(request, (files) => {
        writing = writing
          .then(() => onFiles(files))
          .then(() => new Promise(setImmediate))
          .finally(() => worker.postMessage({ more: true }));
        // Awaited below; until then a rejection must not count as unhandled.
        writing.catch(() => {});
      });
      await writing;
      if (reply.type !== 'listed') throw new Error('the thread gave another answer than was asked for');
      return reply.listing;
    },
    run: async (request) => {
      const reply = await sendRequest(request, null);
      if (reply.type !== 'outcomes') throw new Error('the thread gave another answer than was asked for');
      return reply.outcomes;
    },
    bytes: () => Number(Atomics.load(counters, bytesWord)),
    close: async () => {
      signal?.removeEventListener('abort', abort);
      abort();
      // Gives the thread time to remove partial files.
      await Promise.race([
        Promise.allSettled([...waiting.values()].map(settled)),
        new Promise((resolve) => setTimeout(resolve, 2000).unref()),
      ]);
      await worker.terminate();
    },
  };

  async function settled(one: Waiting): Promise<void> {
    await new Promise<void>((resolve) => {
      const { resolve: done, reject } = one;
      one.resolve = (reply) => {
        done(reply);
        resolve();
      };
      one.reject = (error) => {
        reject(error);
        resolve();
      };
    });
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('stopped');
}
