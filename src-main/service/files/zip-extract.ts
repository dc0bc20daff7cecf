import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { createInflateRaw } from 'node:zlib';
import { countOf } from '../common/count-of.ts';
import { errorCode } from '../common/error-code.ts';
import type { EntryPlace, Reading, ReadFile } from './hash-messages.ts';
import { runningDigest } from './file-digest.ts';

const chunkBytes = 256 * 1024;

/** The bytes of an entry differ from what the archive declares. */
export class DamagedEntryError extends Error {}

/**
 * Unpacks an entry of an archive, never more than its declared length, and checks its length and
 * CRC-32.
 *
 * @throws DamagedEntryError when the bytes differ from what the archive declares.
 */
export async function extractEntry(
  archive: string,
  entry: { readonly place: EntryPlace; readonly length: number; readonly mtimeNs: string },
  reading: Reading,
  sink: (chunk: Buffer | null) => void,
): Promise<ReadFile> {
  try {
    const start = dataStart(archive, entry.place);
    const digest = runningDigest();
    let length = 0;
    sink(null);
    for await (const chunk of unpacked(archive, start, entry.place)) {
      length += chunk.length;
      if (length > entry.length)
        throw new DamagedEntryError(`it unpacks to more than the ${countOf(entry.length, 'byte')} that it declares`);
      digest.update(chunk);
      sink(chunk);
      reading.step(chunk.length);
    }
    const { sha256, ...read } = digest.finish();
    if (length < entry.length) throw new DamagedEntryError('it ends before its declared length');
    if (read.crc32 !== entry.place.crc32) {
      throw new DamagedEntryError(
        `its CRC-32 is not the one that the archive declares, ${hex(entry.place.crc32)}, but ${hex(read.crc32)}; the archive is damaged`,
      );
    }
    return {
      ...read,
      sha256: Buffer.from(sha256).toString('hex'),
      mtimeNs: entry.mtimeNs,
      ctimeNs: null,
      blocks: null,
      pieces: null,
      at: Date.now(),
    };
  } catch (error) {
    const code = errorCode(error);
    if (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
      throw new DamagedEntryError('its compressed data are damaged', { cause: error });
    throw error;
  }
}

function hex(crc32: number): string {
  return crc32.toString(16).padStart(8, '0');
}

function dataStart(archive: string, place: EntryPlace): number {
  const fd = openSync(archive, 'r');
  try {
    return readDataStart(fd, place);
  } finally {
    closeSync(fd);
  }
}

function readDataStart(fd: number, place: EntryPlace): number {
  const header = Buffer.alloc(30);
  if (readSync(fd, header, 0, 30, place.headerOffset) < 30 || header.readUInt32LE(0) !== 0x04034b50) {
    throw new DamagedEntryError('its local header is missing; the archive is damaged');
  }
  if (header.readUInt16LE(8) !== place.method)
    throw new DamagedEntryError('its two headers name different methods; the archive is damaged');
  const start = place.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + place.packedBytes > Math.min(place.limit, fstatSync(fd).size))
    throw new DamagedEntryError('its data overlap another part of the archive');
  return start;
}

async function* unpacked(archive: string, start: number, place: EntryPlace): AsyncGenerator<Buffer> {
  if (place.packedBytes === 0) {
    if (place.method === 0) return;
    throw new DamagedEntryError('its compressed data are missing');
  }
  const packed = createReadStream(archive, { start, end: start + place.packedBytes - 1, highWaterMark: chunkBytes });
  if (place.method === 0) {
    yield* packed as AsyncIterable<Buffer>;
    return;
  }
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
