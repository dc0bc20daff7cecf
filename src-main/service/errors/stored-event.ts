import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import type { ErrorEvent } from '../contract/errors.ts';

// The first byte of a payload says how the rest is compressed, so that a later form can stand beside the old ones.
const deflated = 1;
const zstandard = 2;
// Far beyond what is stored: a damaged row must not fill the memory.
const mostBytes = 64 * 1024 * 1024;
// Node has zstd since 22.15; level 1 of it is smaller and faster than deflate's on events.
const hasZstd = typeof zlib.zstdCompressSync === 'function';
const zstdLevel = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };

/** The event as the column `error_events.payload` holds it. */
export function packEvent(event: ErrorEvent): Buffer {
  const json = Buffer.from(JSON.stringify(event));
  return hasZstd
    ? Buffer.concat([Buffer.of(zstandard), zlib.zstdCompressSync(json, zstdLevel)])
    : Buffer.concat([Buffer.of(deflated), zlib.deflateRawSync(json, { level: 1 })]);
}

/** @throws Error when the payload is damaged or of an unknown form. */
export function unpackEvent(payload: Buffer): ErrorEvent {
  return JSON.parse(inflate(payload).toString()) as ErrorEvent;
}

function inflate(payload: Buffer): Buffer {
  const body = payload.subarray(1);
  if (payload[0] === deflated) return zlib.inflateRawSync(body, { maxOutputLength: mostBytes });
  if (payload[0] === zstandard && hasZstd) return zlib.zstdDecompressSync(body, { maxOutputLength: mostBytes });
  throw new Error(`a stored event has the unknown form ${payload[0] ?? 'nothing'}`);
}
