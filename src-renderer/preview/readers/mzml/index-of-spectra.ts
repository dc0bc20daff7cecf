import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed } from '../../provider/preview-error.ts';
import { entriesIn, numberAt, readTail, type Entry, type Tail } from './index-text.ts';
import { createSearch, type Anchor } from './search-index.ts';

const windowBytes = 16 * 1024;
const headBytes = 256 * 1024;
const latin1 = new TextDecoder('latin1');

/** Where the spectra of an indexed mzML begin, found without reading the whole index. */
export interface SpectrumIndex {
  readonly count: number;
  /** Offset of the spectrum with a number, from 0. @throws PreviewError where the index does not lead to it. */
  offsetOf(number: number): Promise<number>;
}

/** @returns null for a file without an index of spectra. */
export async function openIndex(source: ByteSource): Promise<SpectrumIndex | null> {
  const tail = await readTail(source);
  const listAt = Number(/<indexListOffset>\s*(\d{1,15})\s*<\/indexListOffset>/.exec(tail.text)?.[1] ?? Number.NaN);
  if (!(listAt < source.length)) return null;
  const text = latin1.decode(await source.read(listAt, windowBytes));
  const start = text.search(/<index\b[^>]{0,200}\bname="spectrum"/);
  const first = start < 0 ? undefined : entriesIn(text.slice(start), listAt + start)[0];
  if (first === undefined) return null;
  const last = await lastOf(source, first.at, tail);
  const count = last === null ? await countInHead(source) : last.number + 1;
  if (count === 0) return null;
  const low: Anchor = { number: 0, at: first.at, id: first.id };
  return { count, offsetOf: finder(source, low, last ?? { number: count, at: source.length, id: '' }) };
}

/** Identifiers that count along with the spectra save a look at most of them. */
function finder(source: ByteSource, low: Anchor, high: Anchor): SpectrumIndex['offsetOf'] {
  const shift = countedBy(low.id);
  const isCounted = countedBy(high.id) - shift === high.number;
  const byId = createSearch(source, { low, high }, async ({ id }) => countedBy(id) - shift);
  const bySpectra = createSearch(source, { low, high }, async ({ offset }) => numberAt(source, offset));
  return async (number) => {
    const counted = isCounted ? await byId(number) : null;
    if (counted !== null && (await numberAt(source, counted)) === number) return counted;
    const found = await bySpectra(number);
    if (found === null) throw malformed('The index of the file is damaged.');
    return found;
  };
}

/** The number at the end of an identifier such as `scan=17`; NaN where none is. */
function countedBy(id: string): number {
  return Number(/(\d{1,9})$/.exec(id)?.[1] ?? Number.NaN);
}

/** The last entry of the list that begins at `begin`, where the end of the file shows it. */
async function lastOf(source: ByteSource, begin: number, { from, text }: Tail): Promise<Anchor | null> {
  const start = Math.max(0, begin - from);
  const entry: Entry | undefined = entriesIn(text.slice(start), from + start).at(-1);
  if (entry === undefined) return null;
  const number = await numberAt(source, entry.offset);
  // There is none where the list ends before these bytes, and they show one of chromatograms.
  return number === null ? null : { number, at: entry.at, id: entry.id };
}

async function countInHead(source: ByteSource): Promise<number> {
  const head = latin1.decode(await source.read(0, headBytes));
  return Number(/<spectrumList\b[^>]{0,400}\bcount="(\d{1,9})"/.exec(head)?.[1] ?? 0);
}
