import type { BaseDecoder as BaseDecoderClass, GeoTIFF, GeoTIFFImage } from 'geotiff';
import type { ByteSource } from '../../provider/byte-source.ts';
import { unpackZlib } from '../common/unpack.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { requireSmallLists } from './require-small-lists.ts';

/** Pages of a file that names no number of them are counted up to here. */
const maxCounted = 64;
const maxPages = 100_000;
/** Compressions 8 and 32946 of TIFF. */
const deflateNumbers = [8, 32_946];
const maxUnpackedBytes = 64 * 1024 * 1024;
/** Bytes of a list of the file, or of one of its tiles or strips. */
const maxReadBytes = 16 * 1024 * 1024;
/** The library reads ahead by pages. */
const maxReadBeyond = 64 * 1024;
/** More smaller forms of a page are not looked at. */
const maxLevels = 16;

/** An open TIFF; its pages are found by walking from one to the next. */
export interface TiffFile {
  readonly pages: number;
  /** Whether more pages follow that were not counted. */
  readonly hasMore: boolean;
  /** Of the first page, such as that of OME or ImageJ; empty without one. */
  readonly description: string;
  /** A page and its smaller forms, the largest first. */
  levels(page: number): Promise<readonly GeoTIFFImage[]>;
}

/** @throws PreviewError for a file that is damaged, or the one of the source. */
export async function openTiff(source: ByteSource): Promise<TiffFile> {
  const { GeoTIFF: Tiff, GeoTIFFImage: Image, BaseDecoder, addDecoder } = await source.waitFor(import('geotiff'));
  addDecoder(deflateNumbers, async () => boundedInflate(BaseDecoder));
  const tiff = await guarded(async () => Tiff.fromSource(bytesOf(source)));
  const parse = tiff.parser.parseFileDirectoryAt.bind(tiff.parser);
  tiff.parser.parseFileDirectoryAt = async (offset) => {
    await requireSmallLists(source, offset, tiff);
    return parse(offset);
  };
  const first = await guarded(async () => tiff.getImage(0));
  const found = await guarded(async () => first.fileDirectory.loadValue('ImageDescription'));
  const description = typeof found === 'string' ? found : '';
  const stated = pagesOfOme(description);
  const mains = stated === null ? await guarded(async () => mainPages(tiff)) : null;
  return {
    pages: mains === null ? (stated ?? 1) : mains.length,
    hasMore: mains !== null && mains.length >= maxCounted,
    description,
    levels: async (page) =>
      guarded(async () => {
        const index = mains === null ? page : (mains[page] ?? 0);
        const image = await tiff.getImage(index);
        const smaller = await subImages(tiff, image, Image);
        return [image, ...smaller, ...(await following(tiff, index))].slice(0, maxLevels);
      }),
  };
}

/** Unpacks as the library does, but never more than a preview shows. */
function boundedInflate(Decoder: typeof BaseDecoderClass): typeof BaseDecoderClass {
  return class extends Decoder {
    override async decodeBlock(packed: ArrayBufferLike): Promise<ArrayBufferLike> {
      return (await unpackZlib(Uint8Array.from(new Uint8Array(packed)), maxUnpackedBytes)).buffer;
    }
  };
}

/** Turns what the library throws into words; its own failures mean that the file is damaged. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isTooLarge = error instanceof RangeError && /alloc|array (?:buffer|length)|typed array/i.test(error.message);
    if (error instanceof PreviewError || isTooLarge) throw error;
    throw malformed(
      `The TIFF is damaged: ${error instanceof Error ? error.message.slice(0, 200) : 'no reason given'}.`,
    );
  }
}

function bytesOf(source: ByteSource): Parameters<typeof GeoTIFF.fromSource>[0] {
  const read = async ({ offset, length }: { offset: number; length: number }): Promise<ArrayBufferLike> => {
    // The library asks for whole lists, and then allocates what a list claims to be.
    if (offset + length > source.length + maxReadBeyond) throw malformed('The TIFF names bytes beyond its end.');
    if (length > maxReadBytes)
      throw new PreviewError('limit', 'One part of this picture is larger than a preview may read at once.');
    const bytes = await source.read(offset, length);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  };
  return {
    fetch: async (slices) => Promise.all(slices.map(read)),
    fetchSlice: async (slice) => ({ ...slice, data: await read(slice) }),
    fileSize: source.length,
    close: async () => undefined,
  };
}

/** Number of planes that OME-XML states: channels, depths and times. */
function pagesOfOme(description: string): number | null {
  const pixels = /<Pixels\s[^>]{1,4000}>/.exec(description)?.[0];
  if (pixels === undefined) return null;
  const sizes = ['SizeC', 'SizeZ', 'SizeT'].map((name) =>
    Number(new RegExp(`\\b${name}="(\\d{1,6})"`).exec(pixels)?.[1] ?? 1),
  );
  const samples = Number(/SamplesPerPixel="(\d{1,2})"/.exec(description)?.[1] ?? 1);
  const planes = sizes.reduce((product, size) => product * Math.max(1, size), 1) / Math.max(1, samples);
  return Math.min(maxPages, Math.max(1, Math.round(planes)));
}

/** Indexes of pages that are no smaller forms of others. */
async function mainPages(tiff: GeoTIFF): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; found.length < maxCounted && index < maxCounted * maxLevels; index += 1) {
    const image = await imageAt(tiff, index);
    if (image === null) break;
    if (!isReduced(image)) found.push(index);
  }
  return found.length === 0 ? [0] : found;
}

async function imageAt(tiff: GeoTIFF, index: number): Promise<GeoTIFFImage | null> {
  try {
    return await tiff.getImage(index);
  } catch (error) {
    if (error instanceof PreviewError) throw error;
    // The library says only so that the chain of pages has ended.
    return null;
  }
}

function isReduced(image: GeoTIFFImage): boolean {
  return ((image.fileDirectory.getValue('NewSubfileType') ?? 0) & 1) === 1;
}

/** Smaller forms that lie directly behind their page, as Cloud Optimized GeoTIFF has them. */
async function following(tiff: GeoTIFF, index: number): Promise<GeoTIFFImage[]> {
  const found: GeoTIFFImage[] = [];
  for (let next = index + 1; found.length < maxLevels; next += 1) {
    const image = await imageAt(tiff, next);
    if (image === null || !isReduced(image)) return found;
    found.push(image);
  }
  return found;
}

/** Smaller forms that a page names, as OME-TIFF 6 has them. */
async function subImages(
  tiff: GeoTIFF,
  image: GeoTIFFImage,
  Image: typeof GeoTIFFImage,
): Promise<readonly GeoTIFFImage[]> {
  if (!image.fileDirectory.hasTag('SubIFDs')) return [];
  const offsets = Array.from((await image.fileDirectory.loadValue('SubIFDs')) as ArrayLike<number | bigint>, Number);
  return Promise.all(
    offsets.slice(0, maxLevels).map(async (offset) => {
      const directory = await tiff.parser.parseFileDirectoryAt(offset);
      return new Image(directory, tiff.littleEndian, false, tiff.source);
    }),
  );
}
