import type { HashMessage } from './hash-worker.ts';
import type { PickedFile } from './picked-files.ts';

/** A file as a manifest has it. */
export interface HashedFile {
  readonly path: string;
  readonly file: File;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
}

/** Something about the files prevents the upload; the text says what. */
export class SourceError extends Error {}

/**
 * Computes the checksums of files in a worker.
 *
 * @param onRead told how many bytes more were read.
 * @throws SourceError for a file that cannot be read, or the signal's reason.
 */
export async function hashFiles(
  picked: readonly PickedFile[],
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): Promise<readonly HashedFile[]> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      const hashed: HashedFile[] = [];
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.addEventListener('error', () => reject(new SourceError('The files could not be read. Reload the page.')));
      worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
        if (data.kind === 'read') return onRead(data.bytes);
        const one = picked[data.index];
        if (data.kind === 'failed' || one === undefined)
          return reject(new SourceError(`${one?.path ?? 'A file'} was changed or removed. Choose the folder again.`));
        const { path, file } = one;
        const { crc32, sha256 } = data;
        hashed.push({ path, file, length: file.size, crc32, sha256, registeredAt: file.lastModified });
        return hashed.length === picked.length ? resolve(hashed) : undefined;
      });
      if (picked.length === 0) resolve([]);
      worker.postMessage(picked.map(({ file }) => file));
    });
  } finally {
    worker.terminate();
  }
}
