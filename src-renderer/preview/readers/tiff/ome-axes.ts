import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** A dimension in which pages are chosen, such as the channel. */
export interface PlaneAxis {
  readonly name: string;
  readonly length: number;
  /** Names of its places; none where they have only numbers. */
  readonly labels: readonly string[];
}

export interface PlaneAxes {
  readonly axes: readonly PlaneAxis[];
  /** The page of a place on each axis, from 0. */
  pageOf(at: readonly number[]): number;
}

const maxPlanes = 100_000;
const maxBlocksOfPlanes = 20_000;
const maxLabels = 500;

/**
 * The planes that OME-XML describes, by channel, depth and time, for the first image.
 *
 * @returns null where a description is no OME-XML that can be read.
 */
export function axesOfOme(description: string): PlaneAxes | null {
  if (!description.includes('<OME') || /<!(?:ENTITY|DOCTYPE)/i.test(description)) return null;
  const pixels = pixelsOf(description);
  if (pixels === null) return null;
  const channels = childrenOf(pixels, 'Channel');
  const samples = Math.max(1, Number(channels[0]?.attributes['SamplesPerPixel'] ?? 1) || 1);
  const sizes: Readonly<Record<string, number>> = {
    C: Math.max(1, Math.round(sizeOf(pixels, 'C') / samples)),
    Z: sizeOf(pixels, 'Z'),
    T: sizeOf(pixels, 'T'),
  };
  const total = Object.values(sizes).reduce((product, size) => product * size, 1);
  if (total > maxPlanes) return null;
  const order = (/^XY([CZT]{3})$/.exec(pixels.attributes['DimensionOrder'] ?? '')?.[1] ?? 'CZT').split('');
  const names = channels.slice(0, maxLabels).map(({ attributes }, at) => {
    const name = (attributes['Name'] ?? '').trim().slice(0, 80);
    return name === '' ? `Channel ${at + 1}` : name;
  });
  const letters = ['C', 'Z', 'T'].filter((letter) => (sizes[letter] ?? 1) > 1);
  const words: Readonly<Record<string, string>> = { C: 'Channel', Z: 'Depth', T: 'Time' };
  const pages = pagesNamed(pixels, order, sizes, samples);
  return {
    axes: letters.map((letter) => ({
      name: words[letter] ?? letter,
      length: sizes[letter] ?? 1,
      labels: letter === 'C' && names.length === sizes['C'] ? names : [],
    })),
    pageOf: (at) => {
      const place: Record<string, number> = {};
      for (const [index, letter] of letters.entries()) place[letter] = at[index] ?? 0;
      const number = numberOf(place, order, sizes);
      return pages.get(number) ?? number;
    },
  };
}

function pixelsOf(description: string): XmlElement | null {
  try {
    const { root } = parseXml(description.trim());
    const image = root === null ? undefined : childrenOf(root, 'Image')[0];
    return (image === undefined ? undefined : childrenOf(image, 'Pixels')[0]) ?? null;
  } catch {
    // Pages have numbers where the description is damaged.
    return null;
  }
}

/** Children of a name, with or without a prefix. */
function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement =>
      child instanceof XmlElement && (child.name === name || child.name.endsWith(`:${name}`)),
  );
}

function sizeOf({ attributes }: XmlElement, letter: string): number {
  const size = Number(attributes[`Size${letter}`] ?? 1);
  return Number.isInteger(size) && size > 0 ? Math.min(size, maxPlanes + 1) : 1;
}

/** Number of a plane, counted in the order of the dimensions. */
function numberOf(
  place: Readonly<Record<string, number>>,
  order: readonly string[],
  sizes: Readonly<Record<string, number>>,
): number {
  let [number, step] = [0, 1];
  for (const letter of order) {
    number += (place[letter] ?? 0) * step;
    step *= sizes[letter] ?? 1;
  }
  return number;
}

/** Pages of planes that the file states one by one, by the number of the plane. */
function pagesNamed(
  pixels: XmlElement,
  order: readonly string[],
  sizes: Readonly<Record<string, number>>,
  samples: number,
): ReadonlyMap<number, number> {
  const pages = new Map<number, number>();
  for (const { attributes } of childrenOf(pixels, 'TiffData').slice(0, maxBlocksOfPlanes)) {
    const page = Number(attributes['IFD'] ?? Number.NaN);
    if (!Number.isSafeInteger(page) || page < 0) continue;
    const first = numberOf(
      {
        C: Math.floor(Number(attributes['FirstC'] ?? 0) / samples),
        Z: Number(attributes['FirstZ'] ?? 0),
        T: Number(attributes['FirstT'] ?? 0),
      },
      order,
      sizes,
    );
    const count = Math.min(maxPlanes, Math.max(1, Number(attributes['PlaneCount'] ?? 1) || 1));
    for (let index = 0; index < count && pages.size < maxPlanes; index += 1) pages.set(first + index, page + index);
  }
  return pages;
}
