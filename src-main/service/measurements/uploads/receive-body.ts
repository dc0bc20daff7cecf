import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { HttpProblem } from '../../common/problem.ts';
import { isNoSpace } from '../../files/register-failures.ts';
import type { Checksum } from './tus-headers.ts';

const silentMs = 60_000;
const lookEveryMs = 5000;
const checkSpaceEvery = 16 * 1024 * 1024;

export interface ReceiveRequest {
  readonly file: string;
  readonly body: Readable;
  /** Where the first byte of the body goes. */
  readonly offset: number;
  /** The most bytes that the file may have afterwards; null when that is not known. */
  readonly maxLength: number | null;
  readonly checksum: Checksum | null;
  /** Whether the disk is too full to go on. */
  readonly isLow: () => boolean;
  /** Aborted when another request takes over. */
  readonly signal: AbortSignal;
}

/**
 * Appends a body to a file. What came before a failure stays, and the client goes on after it; of a
 * body with a checksum all or nothing stays.
 *
 * @returns the length of the file, which is on disk.
 * @throws HttpProblem 413 beyond the length, 460 for another checksum, 507 on a full disk, 408 for a
 * client that is silent.
 */
export async function receiveBody(request: ReceiveRequest): Promise<number> {
  const { file, body, offset, checksum, signal } = request;
  const handle = await open(file, 'r+');
  const stop = (): void => void body.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const end = await append(handle, request);
    await handle.datasync();
    return end;
  } catch (error) {
    if (checksum !== null) await handle.truncate(offset);
    if (isNoSpace(error)) throw full(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
  }
}

async function append(handle: FileHandle, request: ReceiveRequest): Promise<number> {
  const { body, offset, maxLength, checksum, isLow } = request;
  const hash = checksum === null ? null : createHash(checksum.algorithm);
  let end = offset;
  let heardAt = performance.now();
  const watching = setInterval(() => {
    if (performance.now() - heardAt > silentMs)
      body.destroy(new HttpProblem(408, 'Nothing came for a minute. Go on with what is missing.'));
  }, lookEveryMs);
  try {
    let checkAt = offset + checkSpaceEvery;
    // Otherwise the connection ends before the client has read why its body is refused.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      heardAt = performance.now();
      if (maxLength !== null && end + chunk.length > maxLength)
        throw new HttpProblem(413, `More came than the ${maxLength} bytes that were announced.`, { type: 'too-long' });
      hash?.update(chunk);
      await writeWhole(handle, chunk, end);
      end += chunk.length;
      if (end < checkAt) continue;
      checkAt = end + checkSpaceEvery;
      if (isLow()) throw full(undefined);
    }
  } finally {
    clearInterval(watching);
  }
  if (hash !== null && checksum !== null && !hash.digest().equals(checksum.digest))
    throw new HttpProblem(460, 'The checksum of this part is another one. Send it again.', { type: 'wrong-checksum' });
  return end;
}

async function writeWhole(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, position + at);
    at += bytesWritten;
  }
}

function full(cause: unknown): HttpProblem {
  return new HttpProblem(507, 'The disk of the library is full. What came is kept; go on when there is space.', {
    type: 'disk-full',
    cause,
  });
}
