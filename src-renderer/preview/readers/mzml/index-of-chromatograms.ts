import type { ByteSource } from '../../provider/byte-source.ts';

/** The list of chromatograms is the last part of the index, and short. */
const maxIndexBytes = 256 * 1024;
const maxChromatograms = 1000;
const latin1 = new TextDecoder('latin1');

/** A chromatogram of an indexed mzML, such as that of the total ion current. */
export interface ChromatogramPlace {
  readonly id: string;
  readonly offset: number;
}

/** The chromatograms that the end of the index names, at most 1000; none where they begin further ahead. */
export async function chromatogramsOf(source: ByteSource): Promise<readonly ChromatogramPlace[]> {
  const text = latin1.decode(await source.read(Math.max(0, source.length - maxIndexBytes), maxIndexBytes));
  const from = text.search(/<index\b[^>]{0,200}\bname="chromatogram"/);
  if (from < 0) return [];
  const end = text.indexOf('</index>', from);
  const entries = text.slice(from, end < 0 ? undefined : end);
  return Array.from(
    entries.matchAll(/<offset\b([^>]{0,1000})>\s*(\d{1,15})\s*<\/offset>/g),
    ([, attributes, offset]) => ({
      id: /\bidRef="([^"]{0,300})"/.exec(attributes ?? '')?.[1] ?? '',
      offset: Number(offset),
    }),
  ).slice(0, maxChromatograms);
}
