import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed } from '../../provider/preview-error.ts';

const windowBytes = 16 * 1024;
const tailBytes = 8 * 1024;
const headBytes = 256 * 1024;
const maxSteps = 12;
const latin1 = new TextDecoder('latin1');

/** Where the spectra of an indexed mzML begin, found without reading the whole index. */
export interface SpectrumIndex {
  readonly count: number;
  /** Offset of the spectrum with a number, from 0. */
  offsetOf(number: number): Promise<number>;
}

/** @returns null for a file without an index. @throws PreviewError for one whose index is damaged. */
export async function openIndex(source: ByteSource): Promise<SpectrumIndex | null> {
  const tail = latin1.decode(await source.read(Math.max(0, source.length - tailBytes), tailBytes));
  const listAt = Number(/<indexListOffset>\s*(\d{1,15})\s*<\/indexListOffset>/.exec(tail)?.[1] ?? Number.NaN);
  if (!(listAt < source.length)) return null;
  const head = latin1.decode(await source.read(0, headBytes));
  const count = Number(/<spectrumList\b[^>]{0,400}\bcount="(\d{1,9})"/.exec(head)?.[1] ?? 0);
  if (!(count > 0)) return null;
  const start = latin1.decode(await source.read(listAt, windowBytes)).search(/<index\b[^>]{0,200}\bname="spectrum"/);
  if (start < 0) return null;
  const first = await windowAt(source, listAt + start);
  const begin = listAt + start + Math.max(0, first.text.search(/<offset\b/));
  const length =
    first.entries.length > 1
      ? ((first.entries.at(-1)?.at ?? 0) - (first.entries[0]?.at ?? 0)) / (first.entries.length - 1)
      : 100;
  return { count, offsetOf: async (number) => search(source, { begin, length }, number) };
}

interface Entry {
  /** Place of the entry in the file. */
  readonly at: number;
  /** Offset that it names. */
  readonly offset: number;
}

async function windowAt(
  source: ByteSource,
  from: number,
): Promise<{ readonly text: string; readonly entries: readonly Entry[] }> {
  const text = latin1.decode(await source.read(from, windowBytes));
  // A list of chromatograms may follow.
  const end = text.indexOf('</index>');
  const entries = [
    ...(end < 0 ? text : text.slice(0, end)).matchAll(/<offset\b[^>]{0,1000}>\s*(\d{1,15})\s*<\/offset>/g),
  ].map((found) => ({ at: from + found.index, offset: Number(found[1]) }));
  return { text, entries };
}

/**
 * Entries differ little in length, so a guess is near; the spectrum that it names says its number, and
 * the next guess is better by that.
 */
async function search(
  source: ByteSource,
  { begin, length }: { readonly begin: number; readonly length: number },
  wanted: number,
): Promise<number> {
  let guess = begin + wanted * length;
  for (let step = 0; step < maxSteps; step += 1) {
    const from = Math.max(begin, Math.floor(guess - windowBytes / 2));
    const { entries } = await windowAt(source, wanted * length < windowBytes / 2 ? begin : from);
    const middle = entries[Math.floor(entries.length / 2)];
    if (middle === undefined) {
      // Beyond the list: go back by half of a window.
      guess -= windowBytes / 2;
      continue;
    }
    const number = await numberAt(source, middle.offset);
    const place = Math.floor(entries.length / 2) + wanted - number;
    const found = entries[place];
    if (found !== undefined) return found.offset;
    guess = middle.at + (wanted - number) * length;
  }
  throw malformed('The index of the file is damaged.');
}

async function numberAt(source: ByteSource, offset: number): Promise<number> {
  const number = /^\s*<spectrum\b[^>]{0,2000}\bindex="(\d{1,9})"/.exec(
    latin1.decode(await source.read(offset, 2048)),
  )?.[1];
  if (number === undefined) throw malformed('The index of the file names places where no spectrum is.');
  return Number(number);
}
