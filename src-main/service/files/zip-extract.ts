import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { countOf } from '../common/count-of.ts';
import { errorCode } from '../common/error-code.ts';
import type { EntryPlace, Reading, ReadFile } from './hash-messages.ts';
import { runningDigest, type FileDigest, type RunningDigest } from './file-digest.ts';

const chunkBytes = 256 * 1024;
/** Entries that are no larger, packed and unpacked, are held in memory. */
export const smallBytes = 1024 * 1024;
/** Of a local header without its name and extra fields. */
const localHeaderBytes = 30;

/** A result of zlib with its option `info`. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** The bytes of an entry differ from what the archive declares. */
export class DamagedEntryError extends Error {}

/** An entry as the directory of its archive declares it. */
export interface DeclaredEntry {
  readonly place: EntryPlace;
  readonly length: number;
}

/**
 * Unpacks an entry of an archive, never more than its declared length, and checks its length and
 * CRC-32.
 *
 * @throws DamagedEntryError when the bytes differ from what the archive declares.
 */
export async function extractEntry(
  archive: string,
  entry: DeclaredEntry & { readonly mtimeNs: string },
  reading: Reading,
  sink: (chunk: Buffer | null) => void,
): Promise<ReadFile> {
  const { chunks, sums } = unpackEntry(packedIn(archive, entry), entry);
  sink(null);
  for await (const chunk of chunks) {
    sink(chunk);
    reading.step(chunk.length);
  }
  return readFileOf(sums(), entry.mtimeNs);
}

function readFileOf({ sha256, ...read }: FileDigest, mtimeNs: string): ReadFile {
  return {
    ...read,
    sha256: Buffer.from(sha256).toString('hex'),
    mtimeNs,
    ctimeNs: null,
    blocks: null,
    pieces: null,
    at: Date.now(),
  };
}

/** The bytes of an entry while it is unpacked, once. */
export interface UnpackedEntry {
  /** @throws DamagedEntryError for bytes that the archive does not declare, or an error of the stream. */
  readonly chunks: AsyncIterable<Buffer>;
  /** The checksums, once all chunks were read. */
  readonly sums: () => FileDigest;
}

/**
 * Unpacks the data of an entry, and compares them with what the archive declares.
 *
 * @param packed A buffer is unpacked with one synchronous call: for small entries, in worker threads.
 */
export function unpackEntry(packed: Readable | Buffer, entry: DeclaredEntry): UnpackedEntry {
  const digest = runningDigest();
  let sums: FileDigest | null = null;
  return {
    chunks: (async function* () {
      yield* declaredBytes(packed, entry, digest);
      sums = digest.finish();
      checkCrc(sums.crc32, entry.place.crc32);
    })(),
    sums: () => {
      if (sums === null) throw new Error('the entry is not unpacked yet');
      return sums;
    },
  };
}

async function* declaredBytes(
  packed: Readable | Buffer,
  { place, length: declared }: DeclaredEntry,
  digest: RunningDigest,
): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    const chunks = Buffer.isBuffer(packed) ? [unpackedAtOnce(packed, place, declared)] : unpacked(packed, place);
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > declared) throw tooLong(declared);
      digest.update(chunk);
      yield chunk;
    }
  } catch (error) {
    const code = errorCode(error);
    if (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
      throw new DamagedEntryError('its compressed data are damaged', { cause: error });
    throw error;
  }
  if (length < declared) throw new DamagedEntryError('it ends before its declared length');
}

function checkCrc(found: number, declared: number): void {
  if (found === declared) return;
  throw new DamagedEntryError(
    `its CRC-32 is not the one that the archive declares, ${hex(declared)}, but ${hex(found)}; the archive is damaged`,
  );
}

function hex(crc32: number): string {
  return crc32.toString(16).padStart(8, '0');
}

/** The data of an entry: those of a small one are read at once, because a stream for each takes far longer. */
function packedIn(archive: string, { place, length }: DeclaredEntry): Readable | Buffer {
  const { packedBytes } = place;
  const fd = openSync(archive, 'r');
  try {
    const start = readDataStart(fd, place);
    if (packedBytes > 0 && Math.max(packedBytes, length) > smallBytes)
      return createReadStream(archive, { start, end: start + packedBytes - 1, highWaterMark: chunkBytes });
    const packed = Buffer.allocUnsafe(packedBytes);
    return packed.subarray(0, readSync(fd, packed, 0, packedBytes, start));
  } finally {
    closeSync(fd);
  }
}

function readDataStart(fd: number, place: EntryPlace): number {
  const header = Buffer.alloc(localHeaderBytes);
  const count = readSync(fd, header, 0, header.length, place.headerOffset);
  return dataStartOf(header.subarray(0, count), place, fstatSync(fd).size);
}

/**
 * Where the data of an entry begin in its archive.
 *
 * @param header The first 30 bytes of its local header; fewer at the end of the archive.
 * @throws DamagedEntryError
 */
export function dataStartOf(header: Buffer, place: EntryPlace, archiveBytes: number): number {
  if (header.length < localHeaderBytes || header.readUInt32LE(0) !== 0x04034b50)
    throw new DamagedEntryError('its local header is missing; the archive is damaged');
  if (header.readUInt16LE(8) !== place.method)
    throw new DamagedEntryError('its two headers name different methods; the archive is damaged');
  const start = place.headerOffset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + place.packedBytes > Math.min(place.limit, archiveBytes))
    throw new DamagedEntryError('its data overlap another part of the archive');
  return start;
}

function unpackedAtOnce(packed: Buffer, { method }: EntryPlace, declared: number): Buffer {
  if (method === 0) return packed;
  if (packed.length === 0) throw new DamagedEntryError('its compressed data are missing');
  try {
    const options = { maxOutputLength: declared + 1, info: true };
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as Inflated;
    if (engine.bytesWritten === packed.length) return buffer;
  } catch (error) {
    throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLong(declared) : error;
  }
  throw new DamagedEntryError('its compressed data are followed by others');
}

function tooLong(declared: number): DamagedEntryError {
  return new DamagedEntryError(`it unpacks to more than the ${countOf(declared, 'byte')} that it declares`);
}

async function* unpacked(packed: Readable, place: EntryPlace): AsyncGenerator<Buffer> {
  if (place.method === 0) {
    yield* packed as AsyncIterable<Buffer>;
    return;
  }
  if (place.packedBytes === 0) throw new DamagedEntryError('its compressed data are missing');
  const inflate = createInflateRaw({ chunkSize: chunkBytes });
  packed.once('error', (error) => inflate.destroy(error));
  packed.pipe(inflate);
  try {
    yield* inflate as AsyncIterable<Buffer>;
    if (inflate.bytesWritten !== place.packedBytes)
      throw new DamagedEntryError('its compressed data are followed by others');
  } finally {
    packed.destroy();
    inflate.destroy();
  }
}
