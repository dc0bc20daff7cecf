import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import type { ErrorEvent } from '../../contract/errors.ts';
import { detachBuffer } from '../../common/detach-buffer.ts';

// The first byte of a payload identifies its format, so that later formats can coexist with older
// ones.
const deflated = 1;
const zstandard = 2;
const withDictionary = 3;
const isDictionary = 4;
// Far above the size of any stored event, so that a damaged row cannot exhaust the memory.
const maxInflatedBytes = 64 * 1024 * 1024;
// Node has zstd since 22.15; its level 1 is smaller and faster on events than deflate.
const hasZstd = typeof zlib.zstdCompressSync === 'function';
// Maximum number of UTF-8 bytes per UTF-16 code unit.
const maxBytesPerUtf16Unit = 3;
const scratch = Buffer.allocUnsafeSlow(256 * 1024);
// Just large enough for Node to allocate a separate buffer, whose memory can be detached: with
// slices of the shared pool the service used 20 MB more under load.
const chunkSize = (Buffer.poolSize >>> 1) + 1;
// Matches of seven bytes or more: a sixth of the time less, and the size stays the same.
const zstdParams = { [zlib.constants.ZSTD_c_compressionLevel]: 1, [zlib.constants.ZSTD_c_minMatch]: 7 };

/**
 * Approximate bytes of a stored event besides its payload: its row, and its share of indexes and
 * counts.
 */
export const eventRowBytes = 300;

/**
 * JSON of one event of a group, used as the compression dictionary of the others: most of their
 * content is equal.
 */
export type EventDictionary = Buffer;

/** Payload of the event that is itself its group's dictionary. */
export const asDictionary = Buffer.of(isDictionary);

/**
 * Compresses an event for the column `error_events.payload`. With a dictionary the result is a
 * tenth as long as without.
 */
export function compressEvent(event: ErrorEvent, eventDictionary: EventDictionary | null): Buffer {
  return compressText(JSON.stringify(event), eventDictionary);
}

/** Works like `compressEvent`, for an event that is JSON already. */
export function compressText(text: string, eventDictionary: EventDictionary | null): Buffer {
  return compressed(bytesOf(text), eventDictionary);
}

/** Compresses an event that was compressed with a dictionary again, without it. */
export function compressAlone(payload: Uint8Array, eventDictionary: EventDictionary): Buffer {
  return compressed(
    zlib.zstdDecompressSync(payload.subarray(1), { maxOutputLength: maxInflatedBytes, dictionary: eventDictionary }),
    null,
  );
}

function compressed(json: Buffer, eventDictionary: EventDictionary | null): Buffer {
  if (!hasZstd) return Buffer.concat([Buffer.of(deflated), zlib.deflateRawSync(json, { level: 1 })]);
  // With the length known, the compressor allocates tables of that size.
  const options = { params: zstdParams, pledgedSrcSize: json.length, chunkSize };
  const body = zlib.zstdCompressSync(
    json,
    eventDictionary === null ? options : { ...options, dictionary: eventDictionary },
  );
  // A separate allocation, freed once it is in the database: a slice would keep the whole shared
  // buffer alive.
  const stored = Buffer.allocUnsafeSlow(body.length + 1);
  stored[0] = eventDictionary === null ? zstandard : withDictionary;
  stored.set(body, 1);
  detachBuffer(body, chunkSize);
  return stored;
}

/** Encodes into one buffer shared by all events of usual size; valid until the next call. */
function bytesOf(text: string): Buffer {
  if (text.length * maxBytesPerUtf16Unit > scratch.length) return Buffer.from(text);
  return scratch.subarray(0, scratch.write(text));
}

/**
 * Decompresses an event.
 *
 * @param eventDictionary stored dictionary of the event's group; null when it has none.
 * @throws Error when the payload is damaged or its format unknown.
 */
export function unpackEvent(payload: Buffer, eventDictionary: Buffer | null): ErrorEvent {
  return JSON.parse(inflate(payload, eventDictionary).toString()) as ErrorEvent;
}

/** Decompresses a stored dictionary. */
export function unpackDictionary(eventDictionary: Buffer): EventDictionary {
  return inflate(eventDictionary, null);
}

function inflate(payload: Buffer, eventDictionary: Buffer | null): Buffer {
  const body = payload.subarray(1);
  const [form] = payload;
  const limit = { maxOutputLength: maxInflatedBytes };
  if (form === deflated) return zlib.inflateRawSync(body, limit);
  if (form === zstandard && hasZstd) return zlib.zstdDecompressSync(body, limit);
  if (form !== withDictionary && form !== isDictionary)
    throw new Error(`a stored event has the unknown form ${form ?? 'nothing'}`);
  if (eventDictionary === null) throw new Error('the sample of a stored event is missing');
  const dictionary = unpackDictionary(eventDictionary);
  return form === isDictionary ? dictionary : zlib.zstdDecompressSync(body, { ...limit, dictionary });
}
