import type { Buffer } from 'node:buffer';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { IngestFailure, malformed } from '../normalise/ingest-failure.ts';

interface Decoder {
  readonly stream: () => Transform;
  readonly sync: (body: Buffer, options: { readonly maxOutputLength: number; readonly chunkSize: number }) => Buffer;
  /** The inflated length that a complete body states, if its format has a field for it. */
  readonly length?: (body: Buffer) => number;
}

// Bodies up to this size are inflated synchronously, which is cheaper than a round trip to the
// thread pool.
export const smallBody = 64 * 1024;
const smallInflated = 256 * 1024;
const chunkSize = 64 * 1024;

// RFC 1952 section 2.3.1: ISIZE is in the last four bytes.
export const gzip: Decoder = {
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
export function decoderOf(encoding: string | undefined, first: Buffer): Decoder | null {
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

interface Inflated {
  readonly whole: Buffer;
  /** Length of the allocation that `whole` starts, provided that one buffer was enough. */
  readonly memory: number;
}

export type Inflating = ReturnType<typeof startInflating>;

/** @returns the inflated body, or an unfinished stream when the body turns out to be large. */
export function inflateSmall(
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
    const stream = startInflating(decoder, deliver);
    void stream.write(body);
    return stream;
  }
  deliver(whole);
  return { whole, memory };
}

export function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

export function startInflating(decoder: Decoder, deliver: (chunk: Buffer) => void) {
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

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the body was not taken', { cause: thrown });
}
