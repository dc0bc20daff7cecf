import { fstatSync } from 'node:fs';
import { createWorkerClient } from '../../../workers/worker-client.ts';
import { workerFile } from '../../../workers/worker-file.ts';
import type { FileDigest } from '../../../files/file-digest.ts';
import type { HasherCaller, HasherMethods } from './incremental-hash-messages.ts';

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

/** Creates a hasher. Its worker thread starts with the first file. */
export function startHasher(): Hasher {
  const live = new Map<number, { at: number }>();
  let next = 0;
  const thread = createWorkerClient<HasherMethods, HasherCaller>(
    { file: workerFile(import.meta.url, 'incremental-hash-worker'), name: 'fetch-hash' },
    {
      progress: (id, at) => {
        const one = live.get(id);
        if (one) one.at = at;
      },
    },
  );

  return {
    follow: (fd) => {
      next += 1;
      const id = next;
      const one = { at: 0 };
      live.set(id, one);
      const dropping = new AbortController();
      const digest = thread.call('hash', [id, fd, dropping.signal]).finally(() => live.delete(id));
      const settled = digest.then(
        ({ length }) => void (one.at = length),
        () => {},
      );
      return {
        advance: (to) => thread.notify('advance', [id, to]),
        get at() {
          return one.at;
        },
        digest: async () => {
          thread.notify('end', [id]);
          return digest;
        },
        drop: async () => {
          dropping.abort(new Error('dropped'));
          return settled;
        },
      };
    },
    close: async () => thread.close(new Error('the fetch has ended')),
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
