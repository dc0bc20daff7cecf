import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import type { ErrorEvent } from '../../contract/errors.ts';
import { detachBuffer } from '../events/detach-buffer.ts';

// The first byte of a payload says how the rest is compressed, so that a later form can stand beside the old ones.
const deflated = 1;
const zstandard = 2;
const withDictionary = 3;
const isDictionary = 4;
// Far beyond what is stored: a damaged row must not fill the memory.
const maxInflatedBytes = 64 * 1024 * 1024;
// Node has zstd since 22.15; level 1 of it is smaller and faster than deflate's on events.
const hasZstd = typeof zlib.zstdCompressSync === 'function';
// UTF-8 has at most so many bytes for a unit of UTF-16.
const maxBytesPerUtf16Unit = 3;
const scratch = Buffer.allocUnsafeSlow(256 * 1024);
// So much that Node makes a buffer of its own for it, which can be let go of: with parts of shared ones the service took 20 MB more under load.
const chunkSize = (Buffer.poolSize >>> 1) + 1;
const zstdLevel = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };

/** What events of one group have in common, which is most of them: an event of the group as JSON, for the compression to refer to. */
export type EventDictionary = Buffer;

/** What stands in the place of the event that is its group's sample itself. */
export const asDictionary = Buffer.of(isDictionary);

/** An event as the column `error_events.payload` holds it. Beside a sample it is a tenth as long as alone. */
export function compressEvent(event: ErrorEvent, eventDictionary: EventDictionary | null): Buffer {
  return compressText(JSON.stringify(event), eventDictionary);
}

/** The same of an event as JSON. */
export function compressText(text: string, eventDictionary: EventDictionary | null): Buffer {
  return compressed(bytesOf(text), eventDictionary);
}

/** An event that was compressed beside a sample, alone. */
export function compressAlone(payload: Uint8Array, eventDictionary: EventDictionary): Buffer {
  return compressed(
    zlib.zstdDecompressSync(payload.subarray(1), { maxOutputLength: maxInflatedBytes, dictionary: eventDictionary }),
    null,
  );
}

function compressed(json: Buffer, eventDictionary: EventDictionary | null): Buffer {
  if (!hasZstd) return Buffer.concat([Buffer.of(deflated), zlib.deflateRawSync(json, { level: 1 })]);
  // With its length known the compression sets up tables of its size.
  const options = { params: zstdLevel, pledgedSrcSize: json.length, chunkSize };
  const body = zlib.zstdCompressSync(
    json,
    eventDictionary === null ? options : { ...options, dictionary: eventDictionary },
  );
  // With memory of its own, which ends when it is in the database: a part of what many buffers share would hold all of that.
  const stored = Buffer.allocUnsafeSlow(body.length + 1);
  stored[0] = eventDictionary === null ? zstandard : withDictionary;
  stored.set(body, 1);
  detachBuffer(body, chunkSize);
  return stored;
}

/** In one buffer for all events of the usual size, until the next call. */
function bytesOf(text: string): Buffer {
  if (text.length * maxBytesPerUtf16Unit > scratch.length) return Buffer.from(text);
  return scratch.subarray(0, scratch.write(text));
}

/**
 * Reads an event.
 *
 * @param eventDictionary its group's, as it is stored; null when the group has none.
 * @throws Error when the payload is damaged or of an unknown form.
 */
export function unpackEvent(payload: Buffer, eventDictionary: Buffer | null): ErrorEvent {
  return JSON.parse(inflate(payload, eventDictionary).toString()) as ErrorEvent;
}

/** The bytes of a sample as it is stored. */
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
