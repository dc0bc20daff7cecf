import type { ByteSource } from '../../provider/byte-source.ts';
import { entriesIn, type Entry } from './index-text.ts';

const windowBytes = 16 * 1024;
/** After these, the range is halved each time, for lists whose entries differ much in length. */
const maxGuesses = 5;
const maxSteps = 32;
const latin1 = new TextDecoder('latin1');

/** The entry of a spectrum whose number is known. */
export interface Anchor {
  readonly number: number;
  /** Place of the entry in the file. */
  readonly at: number;
  readonly id: string;
}

type Place = Pick<Anchor, 'number' | 'at'>;

interface Range {
  readonly low: Place;
  readonly high: Place;
}

/**
 * A search for the offset of a spectrum, null where it is not found. Entries differ little in
 * length, so a guess between two known ones is near; the number of what is there narrows the range.
 *
 * @param numberOf the number of the spectrum of an entry, null where none is.
 */
export function createSearch(
  source: ByteSource,
  whole: Range,
  numberOf: (entry: Entry) => Promise<number | null>,
): (wanted: number) => Promise<number | null> {
  /** Entries in a row around the one that was found before. */
  let near: { readonly first: number; readonly entries: readonly Entry[] } = { first: 0, entries: [] };

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
      const number = entry === undefined ? null : await numberOf(entry);
      if (entry !== undefined && number !== null) {
        near = { first: number - place, entries };
        range = narrowed(range, { number, at: entry.at }, wanted);
      } else range = before(range, from);
    }
    return null;
  };
}

function guessIn({ low, high }: Range, wanted: number, step: number): number {
  const share = step < maxGuesses ? (wanted - low.number) / Math.max(1, high.number - low.number) : 0.5;
  return low.at + share * (high.at - low.at);
}

function narrowed({ low, high }: Range, found: Place, wanted: number): Range {
  if (found.number <= wanted) return { low: found.at > low.at ? found : low, high };
  return { low, high: found.at < high.at ? found : high };
}

/** Behind the list is that of the chromatograms, or the end of the file. */
function before({ low, high }: Range, at: number): Range {
  return { low, high: { number: high.number, at: Math.min(high.at, Math.max(low.at, at)) } };
}
