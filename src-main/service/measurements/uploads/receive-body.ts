import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { detachBuffer } from '../../common/detach-buffer.ts';
import { HttpProblem } from '../../common/problem.ts';
import { diskFull, writeFailure, type ByteSink } from './members/byte-sink.ts';
import type { Checksum } from './tus-headers.ts';

const silentMs = 60_000;
const lookEveryMs = 5000;
const checkSpaceEvery = 16 * 1024 * 1024;
/** Chunks that wait before the body is paused; of TLS they have 16 KiB. */
const maxWaitingChunks = 8;

export interface ReceiveRequest {
  readonly sink: ByteSink;
  readonly body: Readable;
  /** Of the first byte of the body. */
  readonly offset: number;
  /** The most bytes that there may be afterwards; null when that is not known. */
  readonly maxLength: number | null;
  readonly checksum: Checksum | null;
  /** Whether the disk is too full to go on. */
  readonly isLow: () => boolean;
  /** Aborted when another request takes over. */
  readonly signal: AbortSignal;
}

/**
 * Takes a body. What came before a failure stays, and the client goes on after it; of a body with a
 * checksum all or nothing stays.
 *
 * @returns the number of bytes that are there, on disk.
 * @throws HttpProblem 413 beyond the length, 460 for another checksum, 507 on a full disk, 408 for a
 * client that is silent.
 */
export async function receiveBody(request: ReceiveRequest): Promise<number> {
  const { sink, checksum, signal } = request;
  const silent = new AbortController();
  try {
    const end = await append({ ...request, signal: AbortSignal.any([signal, silent.signal]) }, silent);
    await sink.sync();
    return end;
  } catch (error) {
    if (checksum !== null) await sink.undo?.();
    throw writeFailure(error);
  } finally {
    await sink.close();
  }
}

async function append(request: ReceiveRequest, silent: AbortController): Promise<number> {
  const { sink, body, offset, maxLength, checksum, isLow, signal } = request;
  const hash = checksum === null ? null : createHash(checksum.algorithm);
  let end = offset;
  let checkAt = offset + checkSpaceEvery;
  let heardAt = performance.now();
  const watching = setInterval(() => {
    if (performance.now() - heardAt > silentMs)
      silent.abort(new HttpProblem(408, 'Nothing came for a minute. Go on with what is missing.'));
  }, lookEveryMs);
  try {
    for await (const chunk of chunksOf(body, signal)) {
      // While the bytes wait for a slow disk or storage, the client is not silent.
      heardAt = Infinity;
      if (maxLength !== null && end + chunk.length > maxLength)
        throw new HttpProblem(413, `More came than the ${maxLength} bytes that were announced.`, { type: 'too-long' });
      hash?.update(chunk);
      await sink.write(chunk);
      end += chunk.length;
      detachBuffer(chunk, chunk.length);
      if (end >= checkAt) {
        checkAt = end + checkSpaceEvery;
        if (isLow()) throw diskFull(undefined);
      }
      heardAt = performance.now();
    }
  } finally {
    clearInterval(watching);
  }
  if (hash !== null && checksum !== null && !hash.digest().equals(checksum.digest))
    throw new HttpProblem(460, 'The checksum of this part is another one. Send it again.', { type: 'wrong-checksum' });
  return end;
}

/**
 * The chunks of a body as they come, each with memory of its own where the HTTP parser made it so:
 * reading a stream that has several would copy them into one. Unlike its own iterator it ends at once
 * when it is aborted, and leaves the connection open for the answer.
 */
export async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let failure: unknown = null;
  let wake = (): void => undefined;
  const onData = (chunk: Buffer): void => {
    if (waiting.push(chunk) >= maxWaitingChunks) body.pause();
    wake();
  };
  const onChange = (): void => wake();
  const onError = (error: unknown): void => {
    failure = error;
    wake();
  };
  body.on('data', onData).on('end', onChange).on('close', onChange).on('error', onError);
  signal.addEventListener('abort', onChange);
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = waiting.shift();
      if (chunk !== undefined) yield chunk;
      else if (body.readableEnded) return;
      else if (failure !== null || body.destroyed)
        throw new HttpProblem(400, 'The connection ended before the body did.', { cause: failure });
      else {
        if (body.isPaused()) body.resume();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    // Without a listener a flowing body would be lost.
    body.pause();
    body.off('data', onData).off('end', onChange).off('close', onChange).off('error', onError);
    signal.removeEventListener('abort', onChange);
  }
}
