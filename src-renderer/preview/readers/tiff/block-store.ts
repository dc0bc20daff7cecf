import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { viewAt } from './directory.ts';
import type { Level } from './level.ts';
import { undoPredictor } from './undo-predictor.ts';
import { unpackBlock, type JpegDecoder } from './unpack-block.ts';
import { rowBytesOf } from './value-form.ts';
import { valueReaderOf, type ValueReader } from './value-reader.ts';

/** Bytes of unpacked blocks that a worker keeps. */
const maxKeptBytes = 48 * 1024 * 1024;
/** Bytes of one packed block. */
const maxPackedBytes = 16 * 1024 * 1024;
/** Packed blocks can be somewhat larger than unpacked ones, above all small ones. */
const maxPackedBeyond = 64 * 1024;
const maxTableBytes = 64 * 1024;
/** Bytes of one read ahead, and of a gap that is read along. */
const maxSpanBytes = 1024 * 1024;
const maxGapBytes = 64 * 1024;
const spansAtOnce = 4;

/** A place in the grid of blocks of a level, and the sample where each has its own blocks. */
export interface BlockPlace {
  readonly column: number;
  readonly row: number;
  readonly sample: number;
}

/** Reads and unpacks blocks, and keeps those that were used last. */
export interface BlockStore {
  /** @throws PreviewError for a damaged block. */
  block(level: Level, place: BlockPlace): Promise<ValueReader>;
  /** Reads the bytes of blocks that lie near each other in few requests, before they are unpacked. */
  readAhead(level: Level, places: readonly BlockPlace[]): Promise<void>;
}

interface Span {
  readonly offset: number;
  readonly length: number;
}

export function createBlockStore(source: ByteSource): BlockStore {
  const kept = new Map<string, { readonly bytes: number; readonly reader: Promise<ValueReader> }>();
  const decoders = new Map<number, Promise<JpegDecoder>>();
  let keptBytes = 0;
  /** One block is unpacked after the other, because several at once would need their memory at once. */
  let last: Promise<unknown> = Promise.resolve();

  async function jpegOf(level: Level): Promise<JpegDecoder | null> {
    if (level.form.method !== 7) return null;
    const known = decoders.get(level.offset) ?? source.waitFor(jpegDecoderOf(level));
    decoders.set(level.offset, known);
    return known;
  }

  async function unpack(level: Level, row: number, span: Span): Promise<ValueReader> {
    const { form, blockWidth } = level;
    if (span.length === 0) return () => 0;
    const jpeg = await jpegOf(level);
    const view = await viewAt(source, span.offset, span.length);
    const packed = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const unpacked = await unpackBlock(form.method, packed, level.blockBytes, jpeg);
    const needed = rowBytesOf(form, blockWidth) * heightOf(level, row);
    if (unpacked.length < needed) throw malformed('The TIFF is damaged: a part of the picture ends too early.');
    undoPredictor(unpacked, form, blockWidth);
    return valueReaderOf(unpacked, form, blockWidth);
  }

  function makeRoom(bytes: number): void {
    for (const [key, { bytes: oldest }] of kept) {
      if (keptBytes + bytes <= maxKeptBytes) return;
      kept.delete(key);
      keptBytes -= oldest;
    }
  }

  /** Failed reads are forgotten, so that they can be retried when the network is back. */
  function forget(key: string): void {
    keptBytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    async block(level, place) {
      const key = keyOf(level, place);
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known);
        return known.reader;
      }
      const span = await spanOf(source, level, place);
      const reader = last.then(async () => unpack(level, place.row, span));
      last = reader.catch(() => forget(key));
      makeRoom(level.blockBytes);
      kept.set(key, { bytes: level.blockBytes, reader });
      keptBytes += level.blockBytes;
      return reader;
    },
    async readAhead(level, places) {
      const missing = places.filter((place) => !kept.has(keyOf(level, place)));
      const spans = await Promise.all(missing.map(async (place) => spanOf(source, level, place)));
      const joined = joinSpans(spans);
      for (let at = 0; at < joined.length; at += spansAtOnce)
        await Promise.all(
          joined.slice(at, at + spansAtOnce).map(async ({ offset, length }) => viewAt(source, offset, length)),
        );
    },
  };
}

/** Rows of a block; the last strip is as high as what is left, tiles are all equally high. */
function heightOf({ isTiled, height, blockHeight }: Level, row: number): number {
  return isTiled ? blockHeight : Math.min(blockHeight, height - row * blockHeight);
}

function indexOf({ form, columns, rows }: Level, { column, row, sample }: BlockPlace): number {
  const plane = form.together === form.samples ? 0 : sample;
  return plane * columns * rows + row * columns + column;
}

const keyOf = (level: Level, place: BlockPlace): string => `${level.offset} ${indexOf(level, place)}`;

/** @throws PreviewError for a block that lies beyond the file, or is too large. */
async function spanOf(source: ByteSource, level: Level, place: BlockPlace): Promise<Span> {
  const { directory, isTiled, blocksOfStrip, form, rows } = level;
  const strips = Math.ceil(rows / blocksOfStrip);
  const plane = form.together === form.samples ? 0 : place.sample;
  const index = isTiled ? indexOf(level, place) : plane * strips + Math.floor(place.row / blocksOfStrip);
  const [offset, length] = await Promise.all([
    directory.itemOf(isTiled ? 324 : 273, index),
    isTiled || form.method !== 1 ? directory.itemOf(isTiled ? 325 : 279, index) : level.blockBytes,
  ]);
  const needed = rowBytesOf(form, level.blockWidth) * heightOf(level, place.row);
  const within = isTiled ? 0 : (place.row % blocksOfStrip) * level.blockBytes;
  // Unpacked bytes beyond those that are needed would be another block's.
  const span = { offset: offset + within, length: form.method === 1 ? Math.min(length, needed) : length };
  if (!(span.offset + span.length <= source.length)) throw malformed('The TIFF names bytes beyond its end.');
  if (span.length > 2 * level.blockBytes + maxPackedBeyond)
    throw malformed('The TIFF is damaged: a part of the picture claims more bytes than its size allows.');
  if (span.length > maxPackedBytes && form.method !== 1)
    throw new PreviewError('limit', 'One part of this picture is larger than a preview may read at once.');
  return offset === 0 ? { offset: 0, length: 0 } : span;
}

function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.offset - b.offset)) {
    const before = joined.at(-1);
    const end = span.offset + span.length;
    const gap = before === undefined ? Number.POSITIVE_INFINITY : span.offset - before.offset - before.length;
    if (before === undefined || gap > maxGapBytes || end - before.offset > maxSpanBytes) joined.push(span);
    else joined[joined.length - 1] = { offset: before.offset, length: Math.max(before.length, end - before.offset) };
  }
  return joined;
}

async function jpegDecoderOf(level: Level): Promise<JpegDecoder> {
  const tables = await level.directory.bytesOf(347, maxTableBytes);
  const { getDecoder } = await import('geotiff');
  const parameters = {
    tileWidth: level.blockWidth,
    tileHeight: level.blockHeight,
    predictor: 1,
    bitsPerSample: 8,
    planarConfiguration: 1,
    ...(tables === null ? {} : { JPEGTables: tables }),
  };
  try {
    return await getDecoder(7, parameters);
  } catch {
    throw malformed('The TIFF is damaged: it has no tables for its JPEGs.');
  }
}
