import { Buffer } from 'node:buffer';
import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { IngestFailure, malformed, tooLarge } from '../normalise/ingest-failure.ts';

export interface Decoder {
  readonly stream: () => Transform;
  readonly sync: (body: Buffer, options: { readonly maxOutputLength: number; readonly chunkSize: number }) => Buffer;
  /** The inflated length that a complete body states, if its format has a field for it. */
  readonly length?: (body: Buffer) => number;
}

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

/** Chooses the decoder by the first bytes of the body. */
export type DecoderOf = (first: Buffer) => Decoder;

/**
 * @returns null for a body without encoding; Ruby's SDK sends the header with an empty value.
 * @throws IngestFailure 415
 */
export function decoderOf(encoding: string | undefined): DecoderOf | null {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return () => gzip;
  if (name === 'deflate') return deflateOf;
  if (name === 'br') return () => brotli;
  // Node has zstd since 22.15.
  if (name === 'zstd' && typeof zlib.zstdDecompressSync === 'function') return () => zstd;
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

/**
 * Inflates a whole body at once.
 *
 * @returns null when the inflated body is large.
 * @throws IngestFailure 400 when it cannot be inflated.
 */
export function inflateSmall(decoder: Decoder, body: Buffer): Inflated | null {
  // A single buffer of the stated length is enough if the statement is true; one more byte lets
  // zlib detect the end.
  const length = decoder.length?.(body) ?? 0;
  const memory = length > 0 && length < smallInflated ? Math.max(length + 1, 1024) : chunkSize;
  try {
    return { whole: decoder.sync(body, { maxOutputLength: smallInflated, chunkSize: memory }), memory };
  } catch (error) {
    if (isTooLong(error)) return null;
    throw malformed('The body cannot be inflated.', error);
  }
}

/**
 * Inflates a body on the thread pool while it is received.
 *
 * @throws IngestFailure 400 when it cannot be inflated, and any error of `chunks`.
 */
export async function* inflateStream(decoder: Decoder, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(chunks, decoder.stream(), () => {});
  } catch (error) {
    throw error instanceof IngestFailure ? error : malformed('The body cannot be inflated.', error);
  }
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

function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
