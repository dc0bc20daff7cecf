import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed } from '../../provider/preview-error.ts';
import { entriesIn, numberAt, readTail, type Entry, type Tail } from './index-text.ts';

const windowBytes = 16 * 1024;
const headBytes = 256 * 1024;
/** After these, the range is halved each time, for lists whose entries differ much in length. */
const maxGuesses = 5;
const maxSteps = 32;
const latin1 = new TextDecoder('latin1');

/** Where the spectra of an indexed mzML begin, found without reading the whole index. */
export interface SpectrumIndex {
  readonly count: number;
  /** Offset of the spectrum with a number, from 0. @throws PreviewError where the index does not lead to it. */
  offsetOf(number: number): Promise<number>;
}

/** A place in the file at which the entry of a spectrum begins. */
interface Anchor {
  readonly number: number;
  readonly at: number;
}

interface Range {
  readonly low: Anchor;
  readonly high: Anchor;
}

/** Entries in a row, the first of which is that of the spectrum `first`. */
interface Neighbours {
  readonly first: number;
  readonly entries: readonly Entry[];
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
  const high = last ?? { number: count, at: source.length };
  return { count, offsetOf: createSearch(source, { low: { number: 0, at: first.at }, high }) };
}

/** The last entry of the list that begins at `begin`, where the end of the file shows it. */
async function lastOf(source: ByteSource, begin: number, { from, text }: Tail): Promise<Anchor | null> {
  const start = Math.max(0, begin - from);
  const entry = entriesIn(text.slice(start), from + start).at(-1);
  if (entry === undefined) return null;
  const number = await numberAt(source, entry.offset);
  // There is none where the list ends before these bytes, and they show one of chromatograms.
  return number === null ? null : { number, at: entry.at };
}

async function countInHead(source: ByteSource): Promise<number> {
  const head = latin1.decode(await source.read(0, headBytes));
  return Number(/<spectrumList\b[^>]{0,400}\bcount="(\d{1,9})"/.exec(head)?.[1] ?? 0);
}

/**
 * Entries differ little in length, so a guess between two known ones is near. The spectrum that it
 * names says its number, and narrows the range for the next guess.
 */
function createSearch(source: ByteSource, whole: Range): SpectrumIndex['offsetOf'] {
  let near: Neighbours = { first: 0, entries: [] };

  return async (wanted) => {
    let range = whole;
    for (let step = 0; step < maxSteps; step += 1) {
      const known = near.entries[wanted - near.first];
      if (known !== undefined) return known.offset;
      const guess = guessIn(range, wanted, step);
      const from = Math.max(whole.low.at, Math.floor(guess - windowBytes / 2));
      const entries = entriesIn(latin1.decode(await source.read(from, windowBytes)), from);
      const place = Math.max(
        0,
        entries.findLastIndex(({ at }) => at <= guess),
      );
      const entry = entries[place];
      const number = entry === undefined ? null : await numberAt(source, entry.offset);
      if (entry !== undefined && number !== null) near = { first: number - place, entries };
      // Behind the list is that of the chromatograms, or the end of the file.
      const found = entry === undefined || number === null ? { number: null, at: from } : { number, at: entry.at };
      range = narrowed(range, found, wanted);
    }
    throw malformed('The index of the file is damaged.');
  };
}

function guessIn({ low, high }: Range, wanted: number, step: number): number {
  const share = step < maxGuesses ? (wanted - low.number) / Math.max(1, high.number - low.number) : 0.5;
  return low.at + share * (high.at - low.at);
}

function narrowed(
  { low, high }: Range,
  { number, at }: { readonly number: number | null; readonly at: number },
  wanted: number,
): Range {
  if (number === null) return { low, high: { number: high.number, at: Math.min(high.at, Math.max(low.at, at)) } };
  if (number <= wanted) return { low: at > low.at ? { number, at } : low, high };
  return { low, high: at < high.at ? { number, at } : high };
}
