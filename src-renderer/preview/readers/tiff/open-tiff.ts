import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { longOf, readDirectory, viewAt, type Directory, type TiffForm } from './directory.ts';
import { isSmallerForm, levelOf, type Level } from './level.ts';
import { axesOfOme, type PlaneAxes } from './ome-axes.ts';

/** Pages of a file that names no number of them are counted up to here. */
const maxCounted = 64;
/** Directories that are walked to reach a page. */
const maxWalked = 4096;
const maxDescriptionBytes = 1024 * 1024;
/** More smaller forms of a page are not looked at. */
const maxLevels = 16;

/** An open TIFF; its pages are found by walking from one to the next. */
export interface TiffFile {
  /** How pages are chosen. */
  readonly axes: PlaneAxes;
  /** Whether more pages follow that were not counted. */
  readonly hasMore: boolean;
  /** Of the first page, such as that of OME or ImageJ; empty without one. */
  readonly description: string;
  /** A page and its smaller forms, the largest first. @throws PreviewError */
  levels(page: number): Promise<readonly [Level, ...Level[]]>;
}

interface Place {
  readonly offset: number;
  readonly directory: Directory;
}

/** @throws PreviewError for a file that is damaged, or the one of the source. */
export async function openTiff(source: ByteSource): Promise<TiffFile> {
  const { form, first } = await readHeader(source);
  const pageAt = createWalk(source, form, first);
  const found = new Map<number, Promise<readonly [Level, ...Level[]]>>();
  const start = await pageAt(0);
  if (start === null) throw malformed('The TIFF has no page.');
  // The smaller forms are on their way while the description is read.
  const hasParts = start.directory.has(330);
  const early = hasParts ? subLevels(source, form, start) : null;
  early?.catch(() => undefined);
  const description = await descriptionOf(start.directory);
  const ome = axesOfOme(description);
  const mains = ome === null ? await mainPages(pageAt) : null;
  const axes: PlaneAxes = ome ?? {
    axes: [{ name: 'Page', length: mains?.length ?? 1, labels: [] }],
    pageOf: ([page = 0]) => page,
  };

  async function load(page: number): Promise<readonly [Level, ...Level[]]> {
    const index = mains === null ? page : (mains[page] ?? 0);
    const place = await pageAt(index);
    if (place === null) throw malformed('The TIFF has fewer pages than it says.');
    const whole = await levelOf(place.offset, place.directory, form.isLittleEndian);
    const smaller = place.directory.has(330)
      ? await (index === 0 && early !== null ? early : subLevels(source, form, place))
      : await following(pageAt, index, form);
    const fitting = smaller.filter((level) => isSmallerForm(level, whole));
    return [whole, ...fitting.toSorted((a, b) => b.width - a.width)];
  }

  return {
    axes,
    hasMore: mains !== null && mains.length >= maxCounted,
    description,
    levels: async (page) => {
      const known = found.get(page);
      if (known !== undefined) return known;
      // Lists of a page are small, but pages may be many.
      if (found.size >= 64) found.clear();
      const loading = load(page);
      found.set(page, loading);
      loading.catch(() => found.delete(page));
      return loading;
    },
  };
}

async function readHeader(source: ByteSource): Promise<{ readonly form: TiffForm; readonly first: number }> {
  const head = await viewAt(source, 0, 8);
  const isLittleEndian = head.getUint16(0) === 0x4949;
  const isBig = head.getUint16(2, isLittleEndian) === 43;
  const form = { isLittleEndian, isBig };
  if (!isBig) return { form, first: head.getUint32(4, isLittleEndian) };
  if (head.getUint16(4, isLittleEndian) !== 8) throw malformed('The BigTIFF has places of an unknown length.');
  return { form, first: longOf(await viewAt(source, 8, 8), 0, isLittleEndian) };
}

type Walk = (index: number) => Promise<Place | null>;

/** Finds directories by their number; null after the last. */
function createWalk(source: ByteSource, form: TiffForm, first: number): Walk {
  const places: Promise<Place | null>[] = [];
  const seen = new Set<number>();
  async function at(offset: number): Promise<Place | null> {
    if (offset === 0) return null;
    if (seen.has(offset)) throw malformed('The pages of the TIFF lead in a circle.');
    seen.add(offset);
    return { offset, directory: await readDirectory(source, offset, form) };
  }
  async function after(before: Promise<Place | null> | undefined): Promise<Place | null> {
    const place = await before;
    return place === null || place === undefined ? null : at(place.directory.next);
  }
  return async (index) => {
    if (index >= maxWalked)
      throw new PreviewError('limit', `A preview reaches the first ${maxWalked} pages of a TIFF.`);
    for (let next = places.length; next <= index; next += 1)
      places.push(next === 0 ? at(first) : after(places[next - 1]));
    return (await places[index]) ?? null;
  };
}

async function descriptionOf(directory: Directory): Promise<string> {
  try {
    const bytes = await directory.bytesOf(270, maxDescriptionBytes);
    return bytes === null ? '' : new TextDecoder().decode(bytes).replace(/\0[^]*$/, '');
  } catch (error) {
    // A long description is left out, and the pages have numbers then.
    if (error instanceof PreviewError && error.reason === 'limit') return '';
    throw error;
  }
}

/** Numbers of pages that are no smaller forms of others. */
async function mainPages(pageAt: Walk): Promise<readonly number[]> {
  const found: number[] = [];
  for (let index = 0; found.length < maxCounted && index < maxCounted * maxLevels; index += 1) {
    const place = await pageAt(index);
    if (place === null) break;
    if (!(await isReduced(place))) found.push(index);
  }
  return found.length === 0 ? [0] : found;
}

async function isReduced({ directory }: Place): Promise<boolean> {
  return ((await directory.numberOf(254, 0)) & 1) === 1;
}

/** Smaller forms that lie directly behind their page, as Cloud Optimized GeoTIFF has them. */
async function following(pageAt: Walk, index: number, form: TiffForm): Promise<readonly Level[]> {
  const found: Level[] = [];
  for (let next = index + 1; found.length < maxLevels; next += 1) {
    const place = await pageAt(next);
    if (place === null || !(await isReduced(place))) return found;
    found.push(await levelOf(place.offset, place.directory, form.isLittleEndian));
  }
  return found;
}

/** Smaller forms that a page names, as OME-TIFF 6 has them; what they name in turn is not followed. */
async function subLevels(source: ByteSource, form: TiffForm, { directory }: Place): Promise<readonly Level[]> {
  const offsets = await directory.listOf(330, maxLevels);
  return Promise.all(
    offsets.map(async (offset) => levelOf(offset, await readDirectory(source, offset, form), form.isLittleEndian)),
  );
}
