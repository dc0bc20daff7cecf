import type { BodyLimits } from '../normalise/ingest-sizes.ts';
import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { chunkCounter, tooManyChunks } from '../../http/server/chunk-limit.ts';
import { malformed, tooLarge } from '../normalise/ingest-failure.ts';
import { detachBuffer } from '../events/detach-buffer.ts';
import {
  asError,
  decoderOf,
  gzip,
  inflateSmall,
  isTooLong,
  smallBody,
  startInflating,
  type Inflating,
} from './inflate-body.ts';

/** Receives a body while it is being read. */
export interface BodySink {
  /** Takes a chunk of the inflated body. */
  take(chunk: Buffer): void;
  /** Accounts for bytes that were received or inflated; an exception aborts the body. */
  spend(bytes: number): void;
  /**
   * @returns a promise that resolves when the request may continue in its batch. Called once with
   * the received size, before a body that is not streamed is inflated.
   */
  join(bytes: number): Promise<void>;
}

/**
 * Passes a request's body to the sink, inflated, chunk by chunk, and stops as soon as its received
 * or inflated size exceeds the limit. After an error the rest of the body is read and discarded, so
 * that the sender receives the response.
 *
 * @returns a function that releases the memory of the chunks as far as that is possible; call it
 * when nothing uses them any more.
 * @throws IngestFailure 413 when the body is too large, 400 when it cannot be inflated, 415 when
 * its encoding is unknown, and any error of the sink.
 */
export async function decodeBody(
  source: Readable,
  encoding: string | undefined,
  limits: BodyLimits,
  sink: BodySink,
): Promise<() => void> {
  const received = counter('The body', limits.received);
  const inflated = counter('The inflated body', limits.inflated);
  const plain = decoderOf(encoding, Buffer.of()) === null;
  const deliver = (chunk: Buffer): void => {
    inflated(chunk);
    if (!plain) sink.spend(chunk.length);
    sink.take(chunk);
  };
  let head: Buffer[] = [];
  let size = 0;
  let stream: Inflating | null = null;
  await forEachChunk(source, (chunk) => {
    received(chunk);
    sink.spend(chunk.length);
    size += chunk.length;
    if (plain) return deliver(chunk);
    if (stream) return stream.write(chunk);
    head.push(chunk);
    if (size <= smallBody) return undefined;
    const first = Buffer.concat(head);
    head = [];
    stream = startInflating(decoderOf(encoding, first) ?? gzip, deliver);
    return stream.write(first);
  }).catch((error: unknown) => {
    // Without this the stream would inflate what it has buffered, which can be a thousand times as
    // much.
    stream?.destroy();
    throw error;
  });
  if (stream === null) await sink.join(size);
  if (plain) return nothing;
  const body = joined(head);
  const last = stream ?? inflateSmall(encoding, body, deliver);
  if ('end' in last) {
    await last.end();
    return nothing;
  }
  detachBuffer(body, body.length);
  return () => detachBuffer(last.whole, last.memory);
}

const nothing = (): void => {};

export function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

function counter(what: string, maxBytes: number): (chunk: Buffer) => void {
  let total = 0;
  return (chunk) => {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(what, maxBytes);
  };
}

async function forEachChunk(
  source: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined | void,
): Promise<void> {
  const isFine = chunkCounter();
  return new Promise((resolve, reject) => {
    const over = (error: Error | null): void => {
      source.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      if (error === null) return resolve();
      // The listeners are removed but the body is read to its end: closing the connection while the
      // sender is still writing would lose the response.
      source.on('error', () => {}).resume();
      return reject(error);
    };
    const onEnd = (): void => over(null);
    // A sender that disconnects is not a failure of the service, so this is not logged.
    const onClose = (error?: Error): void => over(malformed('The connection ended within the body.', error));
    const onData = (chunk: Buffer): void => {
      if (!isFine(chunk.length)) {
        // The rest of the body is not read either.
        over(malformed(tooManyChunks));
        source.destroy();
        return;
      }
      try {
        const waiting = take(chunk);
        if (!waiting) return;
        source.pause();
        waiting.then(
          () => source.resume(),
          (error: unknown) => over(asError(error)),
        );
      } catch (error) {
        over(asError(error));
      }
    };
    source.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
  });
}

const base64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/**
 * Decodes the body of the legacy client of job runners, which sends larger events as base64 of zlib
 * without any header that says so.
 *
 * @throws IngestFailure 413, or 400 when the body looks like base64 of zlib and is not.
 */
export function decodeBase64(body: Buffer, maxBytes: number): Buffer {
  const first = body.find((byte) => byte > 0x20);
  // Base64 of zlib begins with "e", because zlib's first byte is 0x78; anything else is JSON or not
  // base64.
  if (first !== 'e'.charCodeAt(0) || !base64.test(body.toString('latin1', 0, 1024).trimEnd())) return body;
  try {
    return zlib.inflateSync(Buffer.from(body.toString('latin1'), 'base64'), { maxOutputLength: maxBytes });
  } catch (error) {
    throw isTooLong(error)
      ? tooLarge('The event', maxBytes)
      : malformed('The body is neither JSON nor base64 of zlib.', error);
  }
}
