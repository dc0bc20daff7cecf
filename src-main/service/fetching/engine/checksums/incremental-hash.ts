import { fstatSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../workers/worker-file.ts';
import type { FileDigest } from './check-existing.ts';
import type { IncrementalHashReply, IncrementalHashRequest } from './incremental-hash-messages.ts';

/**
 * Checksums of one open file, computed while it grows. Keep the descriptor open until the digest
 * resolves or `drop` has resolved.
 */
export interface IncrementalHash {
  /** Bytes up to `to` are written. */
  advance(to: number): void;
  /** Bytes read so far. */
  readonly at: number;
  /** Checksums of all bytes announced with `advance`. @throws the read error */
  digest(): Promise<FileDigest>;
  drop(): Promise<void>;
}

export interface Hasher {
  follow(fd: number): IncrementalHash;
  close(): Promise<void>;
}

interface Live {
  at: number;
  readonly digest: PromiseWithResolvers<FileDigest>;
  readonly dropped: PromiseWithResolvers<void>;
}

/** Creates a hasher. Its worker thread starts with the first file. */
export function startHasher(): Hasher {
  const live = new Map<number, Live>();
  let worker: Worker | null = null;
  let next = 0;

  function gone(error: Error): void {
    worker = null;
    for (const one of live.values()) {
      one.digest.reject(error);
      one.dropped.resolve();
    }
    live.clear();
  }

  function start(): Worker {
    const thread = new Worker(workerFile(import.meta.url, 'incremental-hash-worker'), {
      execArgv: [],
      name: 'fetch-hash',
    });
    thread.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', () => gone(new Error('the thread of checksums has ended')));
    thread.on('message', (reply: IncrementalHashReply) => onReply(reply));
    thread.unref();
    return thread;
  }

  function onReply(reply: IncrementalHashReply): void {
    const one = live.get(reply.id);
    if (!one) return;
    if (reply.kind === 'at') one.at = reply.at;
    else {
      live.delete(reply.id);
      if (reply.kind === 'digest') {
        one.at = reply.length;
        one.digest.resolve({ length: reply.length, crc32: reply.crc32, sha256: reply.sha256 });
      } else if (reply.kind === 'failed')
        one.digest.reject(Object.assign(new Error(reply.message), { code: reply.code }));
      else one.digest.reject(new Error('dropped'));
      one.dropped.resolve();
    }
  }

  return {
    follow: (fd) => {
      worker ??= start();
      const thread = worker;
      next += 1;
      const id = next;
      const one: Live = { at: 0, digest: Promise.withResolvers(), dropped: Promise.withResolvers() };
      // Prevents an unhandled rejection if the digest is never requested.
      one.digest.promise.catch(() => {});
      live.set(id, one);
      const tell = (request: IncrementalHashRequest): void => thread.postMessage(request);
      tell({ op: 'begin', id, fd });
      return {
        advance: (to) => tell({ op: 'advance', id, to }),
        get at() {
          return one.at;
        },
        digest: () => {
          tell({ op: 'end', id });
          return one.digest.promise;
        },
        drop: () => {
          if (live.has(id)) tell({ op: 'drop', id });
          return one.dropped.promise;
        },
      };
    },
    close: async () => void (await worker?.terminate()),
  };
}

/** Checksums of a complete open file. @throws the read error, or the signal's reason */
export async function digestWhole(hasher: Hasher, fd: number, signal: AbortSignal): Promise<FileDigest> {
  const following = hasher.follow(fd);
  const stop = (): void => void following.drop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    following.advance(fstatSync(fd).size);
    return await following.digest();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await following.drop();
  }
}
