import type { ByteSource } from '../../provider/byte-source.ts';

/** The end of the index, with the list of chromatograms, which is short. */
const tailBytes = 256 * 1024;
const latin1 = new TextDecoder('latin1');

/** The last bytes of a file, a character for each. */
export interface Tail {
  /** Offset of the first of them. */
  readonly from: number;
  readonly text: string;
}

/** An entry of the index of an mzML. */
export interface Entry {
  /** Place of the entry in the file. */
  readonly at: number;
  /** Offset that it names. */
  readonly offset: number;
  readonly id: string;
}

export async function readTail(source: ByteSource): Promise<Tail> {
  const from = Math.max(0, source.length - tailBytes);
  return { from, text: latin1.decode(await source.read(from, tailBytes)) };
}

/** The whole entries in a text that begins at `from` in the file, up to the end of the list. */
export function entriesIn(text: string, from: number): readonly Entry[] {
  const end = text.indexOf('</index>');
  const list = end < 0 ? text : text.slice(0, end);
  return Array.from(
    list.matchAll(/<offset\b([^>]{0,1000})>\s*(\d{1,15})\s*<\/offset>/g),
    ({ index, 1: attributes, 2: offset }) => ({
      at: from + index,
      offset: Number(offset),
      id: /\bidRef="([^"]{0,300})"/.exec(attributes ?? '')?.[1] ?? '',
    }),
  );
}

/** The number of the spectrum at an offset, from 0; null where none begins. */
export async function numberAt(source: ByteSource, offset: number): Promise<number | null> {
  const beginning = latin1.decode(await source.read(offset, 2048));
  const number = /^\s*<spectrum\b[^>]{0,2000}\bindex="(\d{1,9})"/.exec(beginning)?.[1];
  return number === undefined ? null : Number(number);
}
