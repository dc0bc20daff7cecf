import { open } from 'node:fs/promises';
import { isNoSpace } from '../../../files/register-failures.ts';
import { HttpProblem } from '../../../common/problem.ts';

/** Takes the bytes of an upload in their order. */
export interface ByteSink {
  /** The memory of the chunk is gone once this has resolved. */
  write(chunk: Buffer): Promise<void>;
  /** Everything written is on disk afterwards. */
  sync(): Promise<void>;
  /** Takes back what was written; null where the bytes are verified in another way. */
  readonly undo: (() => Promise<void>) | null;
  close(): Promise<void>;
}

/** Appends to a file. @param offset Where the first byte goes. */
export async function fileSink(file: string, offset: number): Promise<ByteSink> {
  const handle = await open(file, 'r+');
  let end = offset;
  return {
    write: async (chunk) => {
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, end);
        at += bytesWritten;
        end += bytesWritten;
      }
    },
    sync: async () => handle.datasync(),
    undo: async () => handle.truncate(offset),
    close: async () => handle.close(),
  };
}

/** The error for a failed write. */
export function writeFailure(error: unknown): unknown {
  return isNoSpace(error) ? diskFull(error) : error;
}

export function diskFull(cause: unknown): HttpProblem {
  return new HttpProblem(507, 'The disk of the library is full. What came is kept; go on when there is space.', {
    type: 'disk-full',
    cause,
  });
}
