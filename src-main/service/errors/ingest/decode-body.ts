import type { BodyLimits } from '../normalise/ingest-sizes.ts';
import { Buffer } from 'node:buffer';
import type { Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { chunkCounter, tooManyChunks } from '../../http/server/chunk-limit.ts';
import { IngestFailure, malformed, tooLarge } from '../normalise/ingest-failure.ts';
import { detachBuffer } from '../events/detach-buffer.ts';

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

interface Decoder {
  readonly stream: () => Transform;
  readonly sync: (body: Buffer, options: { readonly maxOutputLength: number; readonly chunkSize: number }) => Buffer;
  /** The inflated length that a complete body states, if its format has a field for it. */
  readonly length?: (body: Buffer) => number;
}

// Bodies up to this size are inflated synchronously, which is cheaper than a round trip to the
// thread pool.
const smallBody = 64 * 1024;
const smallInflated = 256 * 1024;
const chunkSize = 64 * 1024;

// RFC 1952 section 2.3.1: ISIZE is in the last four bytes.
const gzip: Decoder = {
  stream: () => zlib.createGunzip({ chunkSize }),
  sync: zlib.gunzipSync,
  length: (body) => (body.length > 4 ? body.readUInt32LE(body.length - 4) : 0),
};
const wrapped: Decoder = { stream: () => zlib.createInflate({ chunkSize }), sync: zlib.inflateSync };
const raw: Decoder = { stream: () => zlib.createInflateRaw({ chunkSize }), sync: zlib.inflateRawSync };
const brotli: Decoder = { stream: () => zlib.createBrotliDecompress({ chunkSize }), sync: zlib.brotliDecompressSync };
// RFC 8878 section 3.1.1.1.2: a frame states the window memory it needs, and decoders should
// support 8 MiB; zlib's own limit is 128 MiB per body.
const zstdParams = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };
const zstd: Decoder = {
  stream: () => zlib.createZstdDecompress({ chunkSize, params: zstdParams }),
  sync: (body, options) => zlib.zstdDecompressSync(body, { ...options, params: zstdParams }),
};

/** `deflate` means zlib (RFC 9110 section 8.4.1.2), but some senders omit its two header bytes. */
function deflateOf(first: Buffer): Decoder {
  const [method = 0, flags = 0] = first;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0 ? wrapped : raw;
}

/**
 * @returns null for a body without encoding; Ruby's SDK sends the header with an empty value.
 * @throws IngestFailure 415
 */
function decoderOf(encoding: string | undefined, first: Buffer): Decoder | null {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return gzip;
  if (name === 'deflate') return deflateOf(first);
  if (name === 'br') return brotli;
  // Node has zstd since 22.15.
  if (name === 'zstd' && typeof zlib.zstdDecompressSync === 'function') return zstd;
  throw new IngestFailure(
    415,
    'The encoding of the body is not supported. Send it as gzip, deflate, br or zstd, or as it is.',
    { drop: 'malformed' },
  );
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
    stream = inflating(decoderOf(encoding, first) ?? gzip, deliver);
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

interface Inflated {
  readonly whole: Buffer;
  /** Length of the allocation that `whole` starts, provided that one buffer was enough. */
  readonly memory: number;
}

type Inflating = ReturnType<typeof inflating>;

/** @returns the inflated body, or an unfinished stream when the body turns out to be large. */
function inflateSmall(
  encoding: string | undefined,
  body: Buffer,
  deliver: (chunk: Buffer) => void,
): Inflated | Inflating {
  const decoder = decoderOf(encoding, body) ?? gzip;
  let whole: Buffer;
  // A single buffer of the stated length is enough if the statement is true; one more byte lets
  // zlib detect the end.
  const length = decoder.length?.(body) ?? 0;
  const memory = length > 0 && length < smallInflated ? Math.max(length + 1, 1024) : chunkSize;
  try {
    whole = decoder.sync(body, { maxOutputLength: smallInflated, chunkSize: memory });
  } catch (error) {
    if (!isTooLong(error)) throw malformed('The body cannot be inflated.', error);
    const stream = inflating(decoder, deliver);
    void stream.write(body);
    return stream;
  }
  deliver(whole);
  return { whole, memory };
}

function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function inflating(decoder: Decoder, deliver: (chunk: Buffer) => void) {
  const stream = decoder.stream();
  const finished = new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      try {
        deliver(chunk);
      } catch (error) {
        stream.destroy();
        reject(asError(error));
      }
    });
    stream.once('end', resolve);
    stream.once('error', (error) =>
      reject(error instanceof IngestFailure ? error : malformed('The body cannot be inflated.', error)),
    );
  });
  // Prevents an unhandled rejection; the error is observed by `write` or `end`.
  finished.catch(() => {});
  return {
    write: (chunk: Buffer): Promise<void> | undefined => {
      if (stream.destroyed) return finished;
      return stream.write(chunk)
        ? undefined
        : Promise.race([finished, new Promise<void>((resolve) => void stream.once('drain', resolve))]);
    },
    end: async (): Promise<void> => {
      stream.end();
      return finished;
    },
    destroy: (): void => void stream.destroy(),
  };
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

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the body was not taken', { cause: thrown });
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
